//! Retries are paid for.

use crate::server::{Answer, Failure, Server, millis, secs};
use kit::together;
use retry_runtime::{Budget, Downstream, Error, Jitter, Policy, Reason, retry};
use std::time::Duration;

const THREE: Policy = Policy::exponential(millis(100), secs(1)).max_attempts(3).deadline(secs(600));

#[retry(policy = THREE, idempotent, downstream = shared)]
async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
    server.get().await
}

#[tokio::test(start_paused = true)]
async fn forty_calls_that_fail_together_make_forty_eight_sends() {
    let shared = Downstream::new("shared").budget(Budget::ratio(0.2));
    let servers: Vec<_> = (0..40).map(|_| Server::that_fails()).collect();
    together(servers.iter().map(|server| get(server, &shared))).await;
    let sends: Vec<_> = servers.iter().map(Server::count).collect();
    assert_eq!(sends.iter().sum::<usize>(), 48);
    assert!(*sends.iter().max().unwrap() < 9, "no caller takes all eight: {sends:?}");
}

#[tokio::test(start_paused = true)]
async fn every_ratio_is_exactly_what_it_says() {
    for hundredths in [1, 10, 20, 25, 33, 50, 51, 75, 99, 100] {
        let ratio = f64::from(hundredths) / 100.0;
        let shared = Downstream::new("shared").budget(Budget::ratio(ratio));
        let servers: Vec<_> = (0..1_000).map(|_| Server::that_fails()).collect();
        together(servers.iter().map(|server| get(server, &shared))).await;
        let sends: usize = servers.iter().map(Server::count).sum();
        assert_eq!(sends, 1_000 + 10 * hundredths as usize, "ratio {ratio}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_reserve_comes_back_with_time_and_only_up_to_ten_seconds_of_it() {
    let shared = Downstream::new("shared").budget(Budget::ratio(0.000_001).per_second(2));
    let retries = async |shared: &Downstream| {
        let servers: Vec<_> = (0..500).map(|_| Server::that_fails()).collect();
        together(servers.iter().map(|server| get(server, shared))).await;
        servers.iter().map(Server::count).sum::<usize>() - 500
    };
    let first = retries(&shared).await;
    assert!((2..=4).contains(&first), "2 at once, and what a second of waiting brings: {first}");
    tokio::time::sleep(secs(30)).await;
    let later = retries(&shared).await;
    assert!((60..=63).contains(&later), "30 seconds of 2 per second: {later}");
    tokio::time::sleep(secs(86_400)).await;
    let kept = retries(&shared).await;
    assert!((100..=103).contains(&kept), "no more than 100 are kept: {kept}");
}

#[tokio::test(start_paused = true)]
async fn a_call_site_without_a_downstream_has_a_budget_of_its_own() {
    #[retry(policy = THREE, idempotent)]
    async fn own(server: &Server) -> Answer {
        server.get().await
    }
    let servers: Vec<_> = (0..100).map(|_| Server::that_fails()).collect();
    together(servers.iter().map(own)).await;
    let retries = servers.iter().map(Server::count).sum::<usize>() - 100;
    assert!(
        (30..=40).contains(&retries),
        "10 of the reserve, 20 earned, and 10 per second: {retries}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_exhausted_budget_stops_at_once_with_the_real_error() {
    let shared = Downstream::new("shared").budget(Budget::ratio(0.1));
    let server = Server::that_fails();
    let error = get(&server, &shared).await.unwrap_err();
    assert_eq!((error.reason(), error.elapsed()), (Reason::BudgetExhausted, Duration::ZERO));
    assert_eq!(error.last(), Some(&Failure::Status(503)));
}

#[tokio::test(start_paused = true)]
async fn what_calls_have_earned_expires_when_no_call_adds_to_it() {
    const MANY: Policy = Policy::fixed(millis(1)).max_attempts(50).deadline(secs(9));
    #[retry(policy = MANY, idempotent, downstream = shared)]
    async fn many(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let shared = Downstream::new("shared").budget(Budget::ratio(0.2));
    let healthy = Server::that_fails().then(Ok(1));
    for _ in 0..500 {
        get(&healthy, &shared).await.unwrap();
    }
    assert_eq!(shared.retry_tokens(), 100.0);
    tokio::time::sleep(secs(3_600)).await;
    let error = many(&Server::that_fails(), &shared).await.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (1, Reason::BudgetExhausted));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_long_keeps_what_it_has_just_earned() {
    const TWO: Policy = Policy::fixed(millis(1)).max_attempts(2).deadline(secs(60));
    #[retry(policy = TWO, idempotent, downstream = shared)]
    async fn two(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let shared = Downstream::new("shared").budget(Budget::ratio(1.0));
    let slow = Server::that_fails().after(secs(12));
    for _ in 0..3 {
        assert_eq!(two(&slow, &shared).await.unwrap_err().attempts(), 2);
    }
    let slow = Server::that_fails().then(Ok(1)).after(secs(8));
    for _ in 0..20 {
        two(&slow, &shared).await.unwrap();
    }
    assert_eq!(shared.retry_tokens(), 20.0, "a call every eight seconds keeps them all");
}

/// Two tokens at most, full at the start, and one more for a call that needs no retry: the law of
/// the AWS SDKs with costs of one. It also gives back what a retry cost that succeeded, so that the
/// case's last call leaves one token, and not none.
#[tokio::test(start_paused = true)]
async fn o_b10_tokens_are_asked_for_earned_and_never_lost() {
    const SECOND: Policy =
        Policy::fixed(secs(1)).jitter(Jitter::None).max_attempts(3).deadline(secs(600));
    #[retry(policy = SECOND, idempotent, downstream = shared, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let costs = Budget::costs(2).retry_cost(1).timeout_cost(1).throttled_cost(1);
    let shared = Downstream::new("shared").budget(costs);
    assert_eq!(shared.retry_tokens(), 2.0);

    let (a, b, c) = (Server::that_fails(), Server::that_fails(), Server::that_fails());
    assert!(tokio::time::timeout(millis(500), get(&a, &shared)).await.is_err());
    assert_eq!((a.count(), a.now(), shared.retry_tokens()), (1, 0.5, 2.0));
    assert_eq!(get(&b, &shared).await.unwrap_err().reason(), Reason::AttemptLimit);
    assert_eq!((b.count(), shared.retry_tokens()), (3, 0.0));
    assert_eq!(get(&c, &shared).await.unwrap_err().reason(), Reason::BudgetExhausted);
    assert_eq!((c.count(), c.now(), shared.retry_tokens()), (1, c.calls()[0], 0.0));
    let d = Server::that_answers([Ok(1)]);
    get(&d, &shared).await.unwrap();
    assert_eq!((d.count(), shared.retry_tokens()), (1, 1.0));
    let e = Server::that_answers([Err(Failure::Status(503)), Ok(1)]);
    get(&e, &shared).await.unwrap();
    assert_eq!((e.count(), shared.retry_tokens()), (2, 1.0));

    get(&Server::that_answers([Ok(1)]), &shared).await.unwrap();
    assert_eq!(shared.retry_tokens(), 2.0);
    let ten: Vec<_> = (0..10).map(|_| Server::that_fails()).collect();
    let results = together(ten.iter().map(|server| get(server, &shared))).await;
    assert_eq!(ten.iter().filter(|server| server.count() > 1).count(), 2);
    let at_once = results.iter().filter(|result| {
        let error = result.as_ref().unwrap_err();
        error.reason() == Reason::BudgetExhausted && error.elapsed().is_zero()
    });
    assert_eq!(at_once.count(), 8);
}
