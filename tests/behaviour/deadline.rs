//! The deadline of the whole call, and the timeout of one attempt.

use crate::server::{Answer, DAY, Failure, Server, millis, secs};
use kit::{calls, script};
use retry_runtime::{Error, Jitter, Outcome, Policy, Reason, Scope, retry};
use std::cell::Cell;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const FIVE: Policy = Policy::exponential(secs(1), secs(60))
    .jitter(Jitter::None)
    .max_attempts(1_000)
    .deadline(secs(5))
    .cut_by_deadline();

#[tokio::test(start_paused = true)]
async fn o_b04_the_time_of_the_attempts_counts_and_no_wait_is_begun_in_vain() {
    #[retry(policy = FIVE, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let server = Server::that_fails().after(millis(1_500));
    let error = get(&server).await.unwrap_err();
    assert_eq!(server.calls(), [0.0, 2.5]);
    assert_eq!(server.now(), 4.0);
    assert_eq!(error.reason(), Reason::Deadline);
    assert_eq!(error.last(), Some(&Failure::Status(503)));
    assert_eq!(error.elapsed(), secs(4));
}

#[tokio::test(start_paused = true)]
async fn o_b04_an_attempt_lasts_no_longer_than_the_time_that_is_left() {
    const HALF: Policy = Policy::exponential(millis(500), secs(60))
        .jitter(Jitter::None)
        .max_attempts(1_000)
        .attempt_timeout(secs(4))
        .deadline(secs(5))
        .cut_by_deadline();
    #[retry(policy = HALF, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let server = Server::that_fails().then(Ok(1)).after(secs(10));
    let error = get(&server).await.unwrap_err();
    assert_eq!((server.calls(), server.now()), (vec![0.0, 4.5], 5.0));
    assert_eq!((error.reason(), error.outcome()), (Reason::Deadline, Outcome::Unknown));
    assert_eq!(error.last(), None);
}

#[tokio::test(start_paused = true)]
async fn o_b04_a_wait_that_ends_at_the_deadline_is_not_begun() {
    const ONE: Policy = FIVE.attempt_timeout(secs(4));
    #[retry(policy = ONE, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails().then(Ok(1)).after(secs(10));
    let Err(Failure::Stopped(stopped)) = get(&server).await else { panic!("stopped") };
    assert_eq!((server.calls(), server.now()), (vec![0.0], 4.0));
    assert_eq!((stopped.reason(), stopped.attempts()), (Reason::Deadline, 1));
}

#[tokio::test(start_paused = true)]
async fn o_b04_a_nested_call_sees_at_most_the_time_left_of_the_outer_one() {
    const INNER: Policy = Policy::once().deadline(DAY);
    #[retry(policy = INNER, idempotent)]
    async fn inner(left: &Cell<Duration>) -> Result<u32, Error<Failure>> {
        left.set(Scope::current().unwrap().time_left());
        sleep(DAY).await;
        Ok(1)
    }
    #[retry(policy = FIVE, idempotent, allow(no_jitter = "exact instants"))]
    async fn outer(left: &Cell<Duration>) -> Result<u32, Error<Error<Failure>>> {
        sleep(millis(1_500)).await;
        inner(left).await
    }
    let (left, start) = (Cell::default(), Instant::now());
    let error = outer(&left).await.unwrap_err();
    assert_eq!(left.get(), millis(3_500));
    assert_eq!(start.elapsed(), secs(5));
    assert_eq!(error.reason(), Reason::Deadline);
}

#[tokio::test(start_paused = true)]
async fn the_last_real_error_survives_a_later_timeout() {
    const TWO: Policy =
        Policy::fixed(millis(1)).max_attempts(2).attempt_timeout(secs(1)).deadline(secs(9));
    #[retry(policy = TWO, idempotent)]
    async fn get(first: &Cell<bool>) -> Result<u32, Error<Failure>> {
        if first.replace(false) {
            return Err(Failure::Refused);
        }
        std::future::pending().await
    }
    let error = get(&Cell::new(true)).await.unwrap_err();
    assert_eq!(error.last(), Some(&Failure::Refused));
    assert_eq!((error.reason(), error.outcome()), (Reason::AttemptLimit, Outcome::Unknown));
}

#[tokio::test(start_paused = true)]
async fn an_argument_can_end_the_call_earlier_but_not_later() {
    #[retry(policy = FIVE, idempotent, deadline = until, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server, until: Instant) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let server = Server::that_fails();
    let error = get(&server, Instant::now() + millis(2_500)).await.unwrap_err();
    assert_eq!((server.calls(), error.elapsed()), (vec![0.0, 1.0], secs(1)));
    let server = Server::that_fails();
    let error = get(&server, Instant::now() + DAY).await.unwrap_err();
    assert_eq!((server.calls(), error.elapsed()), (vec![0.0, 1.0, 3.0], secs(3)));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_begins_after_its_deadline_sends_nothing() {
    #[retry(policy = FIVE, idempotent, deadline = until, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server, until: Instant) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let server = Server::that_fails();
    let error = get(&server, Instant::now()).await.unwrap_err();
    assert_eq!(server.count(), 0);
    assert_eq!((error.reason(), error.attempts()), (Reason::Deadline, 0));
    assert_eq!(error.outcome(), Outcome::NotApplied);
}

/// A body that is always ready uses up tokio's cooperative budget; its timer must fire all the same.
#[tokio::test(start_paused = true)]
async fn a_body_that_never_gives_way_to_timers_is_cut_too() {
    const SHORT: Policy = Policy::once().attempt_timeout(millis(50)).deadline(secs(1));
    #[retry(policy = SHORT, idempotent)]
    async fn spin() -> Result<u32, Error<Failure>> {
        loop {
            tokio::task::consume_budget().await;
            tokio::time::advance(millis(1)).await;
        }
    }
    assert_eq!(spin().await.unwrap_err().reason(), Reason::AttemptLimit);
}

/// The same where nothing is left of the budget whenever the body has to wait.
#[tokio::test(start_paused = true)]
async fn a_body_that_never_leaves_a_timer_its_turn_is_cut_too() {
    const SHORT: Policy = Policy::once().attempt_timeout(millis(50)).deadline(secs(1));
    #[retry(policy = SHORT, idempotent)]
    async fn spin() -> Result<u32, Error<Failure>> {
        for _ in 0..1_000 {
            while tokio::task::coop::has_budget_remaining() {
                tokio::task::consume_budget().await;
            }
            tokio::time::advance(millis(1)).await;
        }
        Ok(1_000)
    }
    let began = Instant::now();
    assert_eq!(spin().await.unwrap_err().reason(), Reason::AttemptLimit);
    assert!(began.elapsed() < millis(100), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_success_in_the_same_poll_as_the_timeout_counts() {
    const SHORT: Policy = Policy::once().attempt_timeout(millis(50)).deadline(secs(1));
    #[retry(policy = SHORT, idempotent)]
    async fn get() -> Result<u32, kit::E> {
        sleep(millis(50)).await;
        kit::down(3).await
    }
    script([Ok(3)]);
    assert_eq!(get().await, Ok(3));
    assert_eq!(calls(), [3]);
}
