//! An attempt timeout that follows the downstream, and one downstream for each key.

use crate::server::{DAY, Failure, Server, millis, secs};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::{
    AdaptiveTimeout, Budget, Downstream, Downstreams, Error, Policy, Reason, Scope, retry,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const SEARCH: Policy = Policy::once()
    .attempt_timeout(secs(1))
    .adaptive_timeout(AdaptiveTimeout::DEFAULT)
    .deadline(DAY);

#[retry(policy = SEARCH, idempotent, downstream = shared)]
async fn search(takes: Duration, shared: &Downstream) -> Result<(), Error<Failure>> {
    sleep(takes).await;
    Ok(())
}

/// How long an attempt may last right now.
async fn timeout_of(shared: &Downstream) -> Duration {
    let start = Instant::now();
    assert_eq!(search(DAY, shared).await.unwrap_err().reason(), Reason::AttemptLimit);
    start.elapsed()
}

async fn succeed(shared: &Downstream, times: u32, takes: Duration) {
    for _ in 0..times {
        search(takes, shared).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_ceiling_holds_until_enough_is_known() {
    let shared = Downstream::new("search");
    succeed(&shared, 99, millis(30)).await;
    assert_eq!(timeout_of(&shared).await, secs(1));
    succeed(&shared, 1, millis(30)).await;
    let adapted = timeout_of(&shared).await;
    assert!((millis(60)..=millis(70)).contains(&adapted), "{adapted:?}");
}

#[tokio::test(start_paused = true)]
async fn it_is_twice_the_p99_of_successes_at_least_the_floor_and_at_most_the_ceiling() {
    let fast = Downstream::new("fast");
    succeed(&fast, 200, millis(1)).await;
    assert_eq!(timeout_of(&fast).await, millis(20));
    let slow = Downstream::new("slow");
    succeed(&slow, 100, millis(900)).await;
    assert_eq!(timeout_of(&slow).await, secs(1));
}

/// A timeout from all samples would count the cut ones at their full length, and rise for ever.
#[tokio::test(start_paused = true)]
async fn attempts_that_are_cut_do_not_stretch_it() {
    let shared = Downstream::new("search");
    for _ in 0..50 {
        succeed(&shared, 99, millis(10)).await;
        let _ = search(DAY, &shared).await;
    }
    let adapted = timeout_of(&shared).await;
    assert!((millis(20)..=millis(24)).contains(&adapted), "{adapted:?}");
}

/// Ordinary latency, with a long tail: the timeout stays where it is for an hour.
#[tokio::test(start_paused = true)]
async fn a_healthy_tail_does_not_make_it_shrink() {
    let shared = Downstream::new("search");
    let mut random = StdRng::seed_from_u64(1);
    let (mut calls, mut cut) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < secs(3_600) {
        // Exponential with a mean of 20 ms: a p99 of 92 ms, and one in ten thousand beyond twice that.
        let takes = Duration::from_secs_f64(-0.02 * random.random::<f64>().max(1e-9).ln());
        calls += 1;
        cut += u32::from(search(takes, &shared).await.is_err());
    }
    assert!(cut * 1_000 < calls, "{cut} of {calls} healthy calls were cut");
}

#[tokio::test(start_paused = true)]
async fn it_lets_go_when_the_downstream_becomes_slower_than_it() {
    let shared = Downstream::new("search");
    succeed(&shared, 200, millis(10)).await;
    assert!(timeout_of(&shared).await < millis(30));
    let (mut cut, start) = (0, Instant::now());
    while search(millis(100), &shared).await.is_err() {
        cut += 1;
    }
    assert!(cut <= 15 && start.elapsed() < secs(1), "{cut} calls were cut, then the ceiling held");
    succeed(&shared, 400, millis(100)).await;
    let adapted = timeout_of(&shared).await;
    assert!((millis(200)..=millis(230)).contains(&adapted), "{adapted:?}");
}

#[tokio::test(start_paused = true)]
async fn it_never_exceeds_the_time_that_is_left() {
    const OUTER: Policy = Policy::once().deadline(millis(50));
    #[retry(policy = OUTER, idempotent)]
    async fn outer(shared: &Downstream) -> Result<(), Error<Error<Failure>>> {
        search(DAY, shared).await
    }
    let shared = Downstream::new("search");
    succeed(&shared, 200, millis(100)).await;
    let start = Instant::now();
    assert!(outer(&shared).await.is_err());
    assert_eq!(start.elapsed(), millis(50));
}

#[test]
fn an_adaptive_timeout_that_can_only_hurt_is_refused() {
    let ceiling = SEARCH.deadline(secs(9));
    let with = |adaptive| ceiling.adaptive_timeout(adaptive).check().unwrap_err().to_string();
    assert!(with(AdaptiveTimeout::DEFAULT.factor(0.5)).starts_with("the `factor` of the adaptive"));
    assert!(with(AdaptiveTimeout::DEFAULT.floor(millis(5))).starts_with("the `floor` of the adap"));
    assert!(
        with(AdaptiveTimeout::DEFAULT.floor(secs(2))).starts_with("the `floor` of the adaptive")
    );
    let bare = Policy::once().adaptive_timeout(AdaptiveTimeout::DEFAULT).deadline(secs(9));
    assert!(bare.check().unwrap_err().to_string().contains("no ceiling"));
}

#[expect(clippy::ptr_arg, reason = "the key is a `String`")]
fn make(host: &String) -> Downstream {
    Downstream::named(host.clone()).budget(Budget::ratio(0.1))
}

#[tokio::test(start_paused = true)]
async fn each_key_has_a_downstream_of_its_own() {
    static HOSTS: Downstreams<String> = Downstreams::new(10, make);
    const TWO: Policy = Policy::fixed(millis(1)).max_attempts(2).deadline(secs(9));
    #[retry(policy = TWO, idempotent, downstream = HOSTS.get(host))]
    async fn get(host: &str, server: &Server) -> Result<u32, Error<Failure>> {
        let _ = (host, Scope::current());
        server.get().await
    }
    let (healthy, failing) = (Server::that_fails().then(Ok(1)), Server::that_fails());
    for _ in 0..10 {
        get("a.example", &healthy).await.unwrap();
    }
    assert_eq!(HOSTS.get("a.example").retry_tokens(), 1.0);
    assert_eq!(get("b.example", &failing).await.unwrap_err().attempts(), 1, "b has earned nothing");
    assert_eq!(get("a.example", &failing).await.unwrap_err().attempts(), 2);
    assert_eq!(HOSTS.len(), 2);
}

#[test]
fn the_one_that_was_idle_for_longest_makes_room() {
    let hosts = Downstreams::new(3, make);
    let held = hosts.get("a");
    for host in ["b", "c", "a", "b"] {
        hosts.get(host);
    }
    let other = hosts.get("d");
    assert_eq!(hosts.len(), 3);
    assert!(Arc::ptr_eq(&held, &hosts.get("a")), "in use");
    let kept = hosts.get("b");
    let passing = hosts.get("e");
    assert_eq!(hosts.len(), 3, "all are in use, so that `e` is not kept");
    assert!(!Arc::ptr_eq(&passing, &hosts.get("e")));
    drop((other, kept));
}
