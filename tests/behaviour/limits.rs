//! A downstream gets no more than it can take.

use crate::server::{DAY, Failure, Server, millis, secs};
use kit::together;
use retry_runtime::{
    Breaker, Budget, ConcurrencyLimit, Downstream, Error, Outcome, Policy, RateLimit, Reason, retry,
};
use std::time::Duration;
use tokio::time::{Instant, timeout};

const ONCE: Policy = Policy::once().deadline(secs(1));

#[retry(policy = ONCE, idempotent, downstream = shared)]
async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
    server.get().await
}

fn reasons(results: &[Result<u32, Error<Failure>>]) -> Vec<Option<Reason>> {
    results.iter().map(|result| result.as_ref().err().map(Error::reason)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_concurrency_limit_refuses_at_once_and_nothing_is_sent() {
    let shared = Downstream::new("shared").concurrency_limit(ConcurrencyLimit::new(2));
    let server = Server::that_fails().then(Ok(1)).after(millis(100));
    let results = together((0..5).map(|_| get(&server, &shared))).await;
    let limited = Some(Reason::ConcurrencyLimited);
    assert_eq!(reasons(&results), [None, None, limited, limited, limited]);
    let error = results[4].as_ref().unwrap_err();
    assert_eq!((error.attempts(), error.elapsed()), (0, Duration::ZERO));
    assert_eq!((server.count(), error.outcome()), (2, Outcome::NotApplied));
    assert_eq!(get(&server, &shared).await, Ok(1), "the places are free again");
}

#[tokio::test(start_paused = true)]
async fn a_waiting_concurrency_limit_serves_in_order_and_within_the_deadline() {
    let shared = Downstream::new("shared").concurrency_limit(ConcurrencyLimit::new(2).waiting());
    let server = Server::that_fails().then(Ok(1)).after(millis(400));
    let results = together((0..8).map(|_| get(&server, &shared))).await;
    assert_eq!(server.calls(), [0.0, 0.0, 0.4, 0.4, 0.8, 0.8]);
    let reasons = reasons(&results);
    assert_eq!(reasons[..4], [None; 4]);
    assert_eq!(reasons[4..6], [Some(Reason::Deadline); 2], "begun, and cut at one second");
    assert_eq!(reasons[6..], [Some(Reason::Deadline); 2], "their turn came at the deadline");
    assert_eq!(server.now(), 1.0);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_from_the_queue_leaves_no_hole() {
    let shared = Downstream::new("shared").concurrency_limit(ConcurrencyLimit::new(1).waiting());
    let server = Server::that_fails().then(Ok(1)).after(millis(200));
    let first = get(&server, &shared);
    let impatient = timeout(millis(100), get(&server, &shared));
    let third = get(&server, &shared);
    let (first, impatient, third) = tokio::join!(first, impatient, third);
    assert_eq!((first, third), (Ok(1), Ok(1)));
    assert!(impatient.is_err());
    assert_eq!(server.calls(), [0.0, 0.2]);
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_refuses_what_comes_too_early_and_says_when_to_come_back() {
    let limit = RateLimit::per_second(10).burst(3);
    let shared = Downstream::new("shared").rate_limit(limit);
    let server = Server::that_fails().then(Ok(1));
    let results = together((0..5).map(|_| get(&server, &shared))).await;
    let limited = Some(Reason::RateLimited);
    assert_eq!(reasons(&results), [None, None, None, limited, limited]);
    assert_eq!(results[3].as_ref().unwrap_err().retry_after(), Some(millis(100)));
    tokio::time::sleep(millis(100)).await;
    assert_eq!(get(&server, &shared).await, Ok(1));
    assert_eq!(get(&server, &shared).await.unwrap_err().reason(), Reason::RateLimited);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_rate_limit_spreads_calls_and_begins_no_wait_beyond_the_deadline() {
    let shared = Downstream::new("shared").rate_limit(RateLimit::per_second(4).waiting());
    let server = Server::that_fails().then(Ok(1));
    let start = Instant::now();
    let results = together((0..6).map(|_| async {
        let result = get(&server, &shared).await;
        (result.map_err(|error| error.reason()), start.elapsed())
    }))
    .await;
    assert_eq!(server.calls(), [0.0, 0.25, 0.5, 0.75]);
    for (result, elapsed) in &results[4..] {
        assert_eq!((*result, *elapsed), (Err(Reason::RateLimited), Duration::ZERO));
    }
}

#[tokio::test(start_paused = true)]
async fn retries_are_attempts_too() {
    const THREE: Policy = Policy::fixed(millis(1)).max_attempts(3).deadline(secs(9));
    #[retry(policy = THREE, idempotent, downstream = shared)]
    async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let shared = Downstream::new("shared").rate_limit(RateLimit::per_second(1).burst(2));
    let (server, tokens) = (Server::that_fails(), shared.retry_tokens());
    let error = get(&server, &shared).await.unwrap_err();
    assert_eq!((server.count(), error.reason()), (2, Reason::RateLimited));
    assert_eq!(error.last(), Some(&Failure::Status(503)));
    assert_eq!(error.outcome(), Outcome::Unknown);
    let spent = tokens - shared.retry_tokens();
    assert!(spent < 1.0, "the retry that was not sent gave its token back: {spent}");
}

#[tokio::test(start_paused = true)]
async fn a_parent_holds_what_its_children_share() {
    static NETWORK: Downstream = Downstream::new("network")
        .concurrency_limit(ConcurrencyLimit::new(3))
        .budget(Budget::ratio(0.1))
        .breaker(Breaker::consecutive(4).open_jitter(0.0));
    let devices: Vec<_> = (0..5).map(|_| Downstream::new("device").parent(&NETWORK)).collect();
    let server = Server::that_fails().then(Ok(1)).after(millis(10));
    let results = together(devices.iter().map(|device| get(&server, device))).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 3);

    const TWO: Policy = Policy::fixed(millis(1)).max_attempts(2).deadline(DAY);
    #[retry(policy = TWO, idempotent, downstream = shared)]
    async fn twice(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let failing = Server::that_fails();
    for device in &devices[..3] {
        let error = twice(&failing, device).await.unwrap_err();
        assert_eq!(error.reason(), Reason::BudgetExhausted, "the network's, not the device's");
        assert!(device.retry_tokens() > 9.0);
    }
    let error = twice(&failing, &devices[3]).await.unwrap_err();
    assert_eq!(error.reason(), Reason::CircuitOpen);
    assert_eq!(NETWORK.breaker_state(), "open", "four failures of four devices");
    assert_eq!(get(&server, &devices[4]).await.unwrap_err().reason(), Reason::CircuitOpen);
    assert_eq!(devices[4].breaker_state(), "closed");
}

#[test]
fn limits_of_zero_are_refused_and_named() {
    let bank = || Downstream::new("bank");
    for (error, named) in [
        (
            bank().try_rate_limit(RateLimit::per_second(0)).unwrap_err(),
            "rate limit is 0 per second",
        ),
        (bank().try_rate_limit(RateLimit::per_second(1).burst(0)).unwrap_err(), "`burst` of 0"),
        (bank().try_concurrency_limit(ConcurrencyLimit::new(0)).unwrap_err(), "limit is 0"),
        (bank().try_concurrency_limit(ConcurrencyLimit::new(u32::MAX)).unwrap_err(), "4294967295"),
    ] {
        assert!(error.to_string().contains(named), "{error}");
    }
}
