#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Scope, retry};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Code {
    Unavailable,
    InvalidArgument,
    DeadlineExceeded,
}

#[derive(Clone, Debug, PartialEq, Classify)]
#[classify(transient, when = *code == Code::Unavailable, refused)]
#[classify(permanent)]
struct Status {
    code: Code,
}

#[derive(Clone)]
struct Greeter;

impl Greeter {
    async fn say_hello(&mut self, name: &str, timeout: Duration) -> Result<u32, Status> {
        assert!(timeout <= Duration::from_secs(60));
        down(name.len() as u32).await.map_err(|E(status)| match status {
            14 => Status { code: Code::Unavailable },
            4 => Status { code: Code::DeadlineExceeded },
            _ => Status { code: Code::InvalidArgument },
        })
    }
}

#[retry(policy = P, idempotent)]
async fn hello(client: &Greeter, name: &str) -> Result<u32, retry_runtime::Error<Status>> {
    let timeout = Scope::current().map_or(Duration::MAX, |scope| scope.time_left());
    client.clone().say_hello(name, timeout).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(14)), Ok(7), Err(E(4)), Err(E(3))]);
    assert_eq!(hello(&Greeter, "you").await, Ok(7));
    let late = hello(&Greeter, "you").await.unwrap_err().into_last();
    assert_eq!(late, Some(Status { code: Code::DeadlineExceeded }));
    assert!(hello(&Greeter, "you").await.is_err());
    assert_eq!(calls(), [3, 3, 3, 3]);
}
