//! The loop as the attribute writes it, for policies that are made at run time or would not compile.

use retry_runtime::__private::{Call, Next, Rules, decide};
use retry_runtime::{Classify, Downstream, Error, Policy};
use tokio::time::Instant;

/// Runs `body` under a policy that nobody judges.
pub async fn run<T, E: Classify>(
    policy: Policy,
    downstream: &Downstream,
    deadline: Option<Instant>,
    body: impl AsyncFn() -> Result<T, E>,
) -> Result<T, Error<E>> {
    let call: &'static Call =
        Box::leak(Box::new(Call::new("unchecked", Rules::idempotent(policy))));
    let mut options = call.downstream(downstream);
    if let Some(deadline) = deadline {
        options = options.deadline(deadline);
    }
    let mut run = options.begin();
    loop {
        let ended = run.attempt(body()).await;
        match decide::<Result<T, Error<E>>>(&mut run, ended) {
            Next::Return(result) => return result,
            Next::Retry(pause) => run.pause(pause),
        };
    }
}
