//! What counts for a breaker, and what says nothing about the downstream.

use crate::breaker::{EXACT, ONCE, fail, get};
use crate::server::{DAY, Failure, Server, millis, secs};
use kit::together;
use retry_runtime::{Breaker, Downstream, Error, Policy, retry};
use std::sync::Arc;
use tokio::time::{sleep, timeout};

#[tokio::test(start_paused = true)]
async fn o_b08_callers_that_go_away_say_nothing_about_a_slow_dependency() {
    let shared = Downstream::new("shared").breaker(Breaker::consecutive(3));
    let slow = Server::that_fails().then(Ok(1)).after(secs(1));
    let impatient = (0..10).map(|_| timeout(millis(100), get(&slow, &shared)));
    assert!(together(impatient).await.iter().all(Result::is_err));
    assert_eq!(get(&slow, &shared).await, Ok(1));
    assert_eq!(shared.breaker_state(), "closed");

    fail(&shared).await;
    fail(&shared).await;
    let impatient = (0..10).map(|_| timeout(millis(100), get(&slow, &shared)));
    together(impatient).await;
    fail(&shared).await;
    assert_eq!(shared.breaker_state(), "open", "cancelled calls are no successes either");
}

#[tokio::test(start_paused = true)]
async fn o_b08_an_inherited_deadline_says_nothing_and_an_own_timeout_does() {
    const PATIENT: Policy = Policy::once().attempt_timeout(secs(5)).deadline(DAY);
    const IMPATIENT: Policy = Policy::once().attempt_timeout(millis(100)).deadline(DAY);
    const OUTER: Policy = Policy::once().deadline(millis(100));
    #[retry(policy = PATIENT, idempotent, downstream = shared)]
    async fn patient(slow: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        slow.get().await
    }
    #[retry(policy = OUTER, idempotent)]
    async fn hurried(slow: &Server, shared: &Downstream) -> Result<u32, Error<Error<Failure>>> {
        patient(slow, shared).await
    }
    #[retry(policy = IMPATIENT, idempotent, downstream = shared)]
    async fn impatient(slow: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        slow.get().await
    }
    let shared = Downstream::new("shared").breaker(Breaker::consecutive(3));
    let slow = Server::that_fails().then(Ok(1)).after(secs(1));
    assert!(together((0..10).map(|_| hurried(&slow, &shared))).await.iter().all(Result::is_err));
    assert_eq!(shared.breaker_state(), "closed");

    let results = together((0..10).map(|_| impatient(&slow, &shared))).await;
    assert!(results.iter().all(Result::is_err));
    assert_eq!(shared.breaker_state(), "open");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_timeout_that_hangs_until_its_own_deadline_is_a_failure() {
    const BARE: Policy = Policy::once().deadline(secs(1));
    #[retry(policy = BARE, idempotent, downstream = shared)]
    async fn hang(shared: &Downstream) -> Result<u32, Error<Failure>> {
        let _ = shared;
        std::future::pending().await
    }
    let shared = Downstream::new("shared").breaker(EXACT);
    assert!(hang(&shared).await.is_err());
    assert!(hang(&shared).await.is_err());
    assert_eq!(shared.breaker_state(), "open");
}

#[tokio::test(start_paused = true)]
async fn a_panic_of_the_body_is_a_failure_of_the_downstream() {
    #[retry(policy = ONCE, idempotent, downstream = shared)]
    async fn panics(shared: Arc<Downstream>) -> Result<u32, Error<Failure>> {
        let _ = &shared;
        panic!("on purpose")
    }
    let shared = Arc::new(Downstream::new("shared").breaker(EXACT));
    for _ in 0..2 {
        assert!(tokio::spawn(panics(Arc::clone(&shared))).await.unwrap_err().is_panic());
    }
    assert_eq!(shared.breaker_state(), "open");
    sleep(secs(10)).await;
    assert!(tokio::spawn(panics(Arc::clone(&shared))).await.unwrap_err().is_panic());
    assert_eq!(shared.breaker_state(), "open", "a probe that panics does not leak its place");
}
