//! The bank as a process: `bank FILE honoured|ignored` prints where it listens, and serves until it
//! is killed or its standard input ends.

use retry_writes_tests::service::{Keys, router};
use retry_writes_tests::store::Store;
use std::error::Error;
use std::net::Ipv4Addr;
use std::path::Path;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, keys] = arguments.as_slice() else {
        return Err("usage: bank FILE honoured|ignored".into());
    };
    let keys = match keys.as_str() {
        "honoured" => Keys::Honoured,
        "ignored" => Keys::Ignored,
        other => return Err(format!("{other:?} is neither `honoured` nor `ignored`").into()),
    };
    let app = router(Store::open(Path::new(file))?, keys);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?);
    tokio::select! {
        served = async { axum::serve(listener, app).await } => served?,
        () = abandoned() => {}
    }
    Ok(())
}

/// The test that started this process holds its standard input open.
async fn abandoned() {
    let mut nothing = [0];
    while matches!(tokio::io::stdin().read(&mut nothing).await, Ok(1..)) {}
}
