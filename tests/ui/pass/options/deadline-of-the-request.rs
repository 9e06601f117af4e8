#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Policy, Reason, Scope};
use std::time::Duration;
use tokio::time::Instant;

const PATIENT: Policy = Policy::fixed(Duration::from_secs(1)).deadline(Duration::from_secs(60));

struct Request {
    deadline: Instant,
}

#[retry(policy = PATIENT, idempotent, deadline = request.deadline)]
async fn read(request: &Request) -> Result<u32, Error<E>> {
    assert_eq!(Scope::current().unwrap().deadline(), Some(request.deadline));
    tokio::time::sleep(Duration::from_millis(90)).await;
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    let request = Request { deadline: Instant::now() + Duration::from_millis(95) };
    let error = read(&request).await.unwrap_err();
    assert_eq!((error.reason(), error.last()), (Reason::Deadline, Some(&E(503))));
    assert!(calls().len() <= 2 && request.deadline >= Instant::now());
}
