//! One service: it calls the next one, or its storage, and retries as if it were alone.

mod grpc;
mod http;
mod options;
mod storage;

use options::Options;
use retry_runtime::wire::{Incoming, ServerLayer};
use retry_runtime::{Budget, Downstream, Jitter, Policy};
use std::error::Error;
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

/// Three attempts, in every service.
const THREE: Policy = Policy::fixed(Duration::from_millis(2))
    .jitter(Jitter::Full)
    .max_attempts(3)
    .deadline(Duration::from_millis(200))
    .cut_by_deadline();

/// Its budget lets everything through, so that nothing but the owner bounds the retries.
static NEXT: Downstream = Downstream::new("next").budget(Budget::ratio(1.0).per_second(1000));

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::from_args()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("http://{}", listener.local_addr()?);
    // Longer than anything here takes.
    let incoming = Incoming::new(Duration::from_secs(30));
    let incoming = if options.without_owner { incoming.without_owner() } else { incoming };
    let scopes = ServerLayer::reading(incoming);
    let (grpc, name) = (options.grpc, options.name.clone());
    tokio::select! {
        served = async {
            if grpc {
                grpc::serve(listener, options, scopes).await
            } else {
                http::serve(listener, options, scopes).await
            }
        } => served?,
        () = abandoned() => eprintln!("{name} ends, because the test has ended"),
    }
    Ok(())
}

/// The test that started this service holds its standard input open.
async fn abandoned() {
    let mut nothing = [0];
    while matches!(tokio::io::stdin().read(&mut nothing).await, Ok(1..)) {}
}
