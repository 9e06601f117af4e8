//! How many attempts, and when.

use crate::server::{Answer, DAY, Failure, Server, millis, secs};
use crate::unchecked;
use retry_runtime::{Downstream, Error, Jitter, Policy, Reason, retry};
use std::time::Duration;
use tokio::time::Instant;

const EXACT: Policy = Policy::exponential(secs(1), secs(30)).jitter(Jitter::None).deadline(DAY);

#[tokio::test(start_paused = true)]
async fn o_b01_two_hundred_attempts_neither_overflow_nor_stop_growing_to_the_cap() {
    const LONG: Policy = Policy::exponential(millis(500), secs(30))
        .jitter(Jitter::None)
        .max_attempts(200)
        .deadline(DAY);
    #[retry(policy = LONG, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let server = Server::that_fails();
    let error = get(&server).await.unwrap_err();
    let calls = server.calls();
    assert_eq!(calls[..7], [0.0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5]);
    assert!(calls[6..].windows(2).all(|pair| pair[1] - pair[0] == 30.0));
    assert_eq!(calls.len(), 200);
    assert_eq!(server.now(), 5821.5);
    assert_eq!(error.reason(), Reason::AttemptLimit);
}

#[tokio::test(start_paused = true)]
async fn o_b01_an_enormous_multiplier_stays_at_the_cap() {
    let years = secs(20 * 365 * 86_400);
    let policy = Policy::exponential(secs(3_600), DAY)
        .multiplier(1e9)
        .jitter(Jitter::None)
        .max_attempts(5_000)
        .deadline(years);
    let server = Server::that_fails();
    let downstream = Downstream::new("far");
    let error = unchecked::run(policy, &downstream, None, || server.get()).await.unwrap_err();
    assert_eq!(error.attempts(), 5_000);
    assert_eq!(error.elapsed(), secs(3_600) + DAY * 4_998);
}

#[tokio::test(start_paused = true)]
async fn o_b01_a_wait_beyond_the_clock_ends_the_call_at_once() {
    let policy = Policy::exponential(secs(3_600), Duration::MAX)
        .jitter(Jitter::None)
        .max_attempts(9)
        .deadline(secs(60));
    let server = Server::that_fails();
    let downstream = Downstream::new("far");
    let error = unchecked::run(policy, &downstream, None, || server.get()).await.unwrap_err();
    assert_eq!((server.count(), error.reason()), (1, Reason::Deadline));
    assert_eq!(error.elapsed(), Duration::ZERO);

    let forever = policy.deadline(Duration::MAX).max_retry_after(Duration::MAX);
    let server = Server::that_answers([Err(Failure::ComeBack { wait: Some(Duration::MAX) })]);
    let soon = Some(Instant::now() + secs(1));
    let error = unchecked::run(forever, &downstream, soon, || server.get()).await.unwrap_err();
    assert_eq!((server.count(), error.reason()), (1, Reason::Deadline));
}

#[tokio::test(start_paused = true)]
async fn o_b03_three_attempts_are_three_calls_and_nothing_is_slept_after_the_last() {
    #[retry(policy = EXACT, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    assert!(get(&server).await.is_err());
    assert_eq!(server.calls(), [0.0, 1.0, 3.0]);
    assert_eq!(server.now(), 3.0);
}

#[tokio::test(start_paused = true)]
async fn o_b03_one_attempt_is_one_call() {
    const ONE: Policy = EXACT.max_attempts(1);
    #[retry(policy = ONE, idempotent)]
    async fn get(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    assert!(get(&server).await.is_err());
    assert_eq!((server.calls(), server.now()), (vec![0.0], 0.0));
}

#[tokio::test(start_paused = true)]
async fn o_b03_the_first_delay_is_the_base_and_the_multiplier_is_not() {
    const SIX: Policy = Policy::exponential(millis(50), secs(30))
        .jitter(Jitter::None)
        .max_attempts(6)
        .deadline(DAY);
    #[retry(policy = SIX, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    assert!(get(&server).await.is_err());
    assert_eq!(server.calls(), [0.0, 0.05, 0.15, 0.35, 0.75, 1.55]);
}

#[tokio::test(start_paused = true)]
async fn o_b12_an_immediate_retry_yields_and_waits_for_no_tick() {
    const TWICE: Policy = Policy::immediate().deadline(secs(1));
    #[retry(policy = TWICE, idempotent)]
    async fn get(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    let other = async { server.now() };
    let (result, _) = tokio::join!(biased; get(&server), other);
    assert!(result.is_err());
    assert_eq!((server.calls(), server.now()), (vec![0.0, 0.0], 0.0));
}

#[tokio::test(start_paused = true)]
async fn another_multiplier_and_a_fixed_interval_are_followed() {
    const TRIPLE: Policy = EXACT.multiplier(3.0).max_attempts(5);
    #[retry(policy = TRIPLE, idempotent, allow(no_jitter = "exact instants"))]
    async fn triple(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    assert!(triple(&server).await.is_err());
    assert_eq!(server.calls(), [0.0, 1.0, 4.0, 13.0, 40.0]);

    const FIXED: Policy = Policy::fixed(secs(2)).jitter(Jitter::None).max_attempts(4).deadline(DAY);
    #[retry(policy = FIXED, idempotent, allow(no_jitter = "exact instants"))]
    async fn fixed(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    assert!(fixed(&server).await.is_err());
    assert_eq!(server.calls(), [0.0, 2.0, 4.0, 6.0]);
}
