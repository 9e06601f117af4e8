#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, FromStopped, Outcome, Policy, Reason, Stopped};
use std::time::Duration;

const SHORT: Policy = P.max_attempts(2).attempt_timeout(Duration::from_secs(1));

#[derive(Debug, Classify)]
enum ReadError {
    #[classify(permanent)]
    #[expect(dead_code, reason = "this downstream never answers")]
    Status(u16),
    #[classify(stopped)]
    Stopped { why: Stopped },
}

#[retry(policy = SHORT, idempotent)]
async fn read() -> Result<u32, ReadError> {
    down(1).await.ok();
    std::future::pending().await
}

fn is_from_stopped<T: FromStopped>(_: &T) {}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    let error = read().await.unwrap_err();
    is_from_stopped(&error);
    let ReadError::Stopped { why } = error else { panic!("{error:?}") };
    assert_eq!((why.reason(), why.outcome()), (Reason::AttemptLimit, Outcome::Unknown));
    assert_eq!((why.attempts(), calls()), (2, vec![1, 1]));
}
