//! How delays are drawn: bounds, means, and no heap at the cap.

use crate::server::{Answer, DAY, Server, millis, secs};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::decide::{Decision, Situation, decide};
use retry_runtime::{Class, Jitter, Policy, retry};
use std::time::Duration;

/// The delays of one call of ten attempts, decided by the brain itself.
fn delays(policy: &Policy, random: &mut StdRng) -> Vec<Duration> {
    let mut delays = Vec::new();
    let mut previous_delay = None;
    for attempt in 1..10 {
        let decision = decide(&Situation {
            policy,
            attempt,
            owner: true,
            retries_left: u32::MAX,
            class: Class::TRANSIENT,
            unanswered: false,
            time_left: Duration::MAX,
            previous_delay,
            open_for: None,
            token_available: true,
            draw: random.random(),
        });
        let Decision::Retry(delay) = decision else { panic!("{decision:?}") };
        assert!(delay.drawn <= delay.limit);
        previous_delay = Some(delay.drawn);
        delays.push(delay.drawn);
    }
    delays
}

/// The delays of retries 6 to 9 of 10,000 calls, in fractions of the cap.
fn late_delays(base: Duration, cap: Duration, jitter: Jitter) -> Vec<f64> {
    let policy = Policy::exponential(base, cap).jitter(jitter).max_attempts(10).deadline(DAY);
    let mut random = StdRng::seed_from_u64(1);
    let all = (0..10_000).flat_map(|_| delays(&policy, &mut random).split_off(5));
    all.map(|delay| delay.as_secs_f64() / cap.as_secs_f64()).collect()
}

fn check(base: Duration, cap: Duration, jitter: Jitter, least: f64, mean: Option<f64>) {
    let delays = late_delays(base, cap, jitter);
    let count = delays.len() as f64;
    assert!(delays.iter().all(|delay| (least..=1.0).contains(delay)));
    let at_cap = delays.iter().filter(|delay| **delay == 1.0).count() as f64;
    assert!(at_cap / count <= 0.01, "{at_cap} of {count} delays are the cap");
    let actual = delays.iter().sum::<f64>() / count;
    if let Some(mean) = mean {
        assert!((actual - mean).abs() < 0.02, "the mean is {actual}");
    }
    // The whole range is used: each twentieth of it holds something.
    let mut bins = [0; 20];
    for delay in delays {
        bins[(((delay - least) / (1.0 - least)) * 19.999) as usize] += 1;
    }
    assert!(bins.iter().all(|bin| *bin > 0), "{bins:?}");
}

#[test]
fn o_b02_full_jitter_covers_everything_up_to_the_cap() {
    check(millis(100), millis(500), Jitter::Full, 0.0, Some(0.5));
}

#[test]
fn o_b02_equal_jitter_covers_the_upper_half() {
    check(millis(100), millis(500), Jitter::Equal, 0.5, Some(0.75));
}

#[test]
fn o_b02_decorrelated_jitter_stays_between_base_and_cap() {
    check(millis(100), millis(500), Jitter::Decorrelated, 0.2, None);
}

/// A crate that truncates to whole seconds has no jitter at all here.
#[test]
fn whole_seconds_are_jittered_as_finely_as_anything() {
    check(secs(1), secs(5), Jitter::Full, 0.0, Some(0.5));
    check(secs(1), secs(5), Jitter::Equal, 0.5, Some(0.75));
    check(secs(1), secs(5), Jitter::Decorrelated, 0.2, None);
}

#[test]
fn the_first_delays_grow_with_the_limit() {
    let mut random = StdRng::seed_from_u64(2);
    let policy = Policy::exponential(secs(1), secs(8)).max_attempts(10).deadline(DAY);
    let calls: Vec<_> = (0..10_000).map(|_| delays(&policy, &mut random)).collect();
    for (retry, limit) in [1.0, 2.0, 4.0, 8.0, 8.0].into_iter().enumerate() {
        let delays = calls.iter().map(|call| call[retry].as_secs_f64());
        let mean = delays.clone().sum::<f64>() / 10_000.0;
        assert!(delays.clone().all(|delay| delay <= limit));
        assert!((mean - limit / 2.0).abs() < 0.02 * limit, "retry {retry}: {mean}");
    }
}

#[test]
fn the_same_seed_gives_the_same_sequence() {
    for jitter in [Jitter::Full, Jitter::Equal, Jitter::Decorrelated] {
        let policy = Policy::exponential(millis(100), secs(5)).jitter(jitter).max_attempts(10);
        let run = |seed| delays(&policy, &mut StdRng::seed_from_u64(seed));
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}

const SPREAD: Policy = Policy::exponential(secs(1), secs(60)).max_attempts(5).deadline(DAY);

#[retry(policy = SPREAD, idempotent)]
async fn get(server: &Server) -> Answer {
    server.get().await
}

/// A well-known retry layer draws the same numbers for every request.
#[tokio::test(start_paused = true)]
async fn different_calls_draw_different_sequences() {
    let mut all = Vec::new();
    for _ in 0..20 {
        let server = Server::that_fails();
        assert!(get(&server).await.is_err());
        all.push(server.calls());
    }
    for (at, calls) in all.iter().enumerate() {
        assert_eq!(calls.len(), 5);
        assert!(!all[..at].contains(calls), "two calls waited alike: {calls:?}");
    }
}

/// Runs as a process of its own, twice, in the next test.
#[tokio::test(start_paused = true)]
async fn prints_the_delays_of_one_call() {
    let server = Server::that_fails();
    assert!(get(&server).await.is_err());
    let calls = server.calls();
    assert!(calls.windows(2).all(|pair| pair[0] <= pair[1]));
    println!("calls: {calls:?}");
}

#[test]
fn o_c3_two_processes_started_alike_draw_different_sequences() {
    let run = || {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["jitter::prints_the_delays_of_one_call", "--exact", "--nocapture"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let calls = text
            .lines()
            .find_map(|line| line.split_once("calls: ").map(|(_, calls)| calls.to_owned()));
        calls.expect("the process prints its calls")
    };
    assert_ne!(run(), run());
}

#[tokio::test(start_paused = true)]
async fn o_c3_a_thousand_callers_come_back_spread_over_the_whole_second() {
    const TWICE: Policy = Policy::exponential(secs(1), secs(1)).max_attempts(2).deadline(DAY);
    static EVERYONE: retry_runtime::Downstream =
        retry_runtime::Downstream::new("everyone").budget(retry_runtime::Budget::ratio(1.0));
    #[retry(policy = TWICE, idempotent, downstream = EVERYONE)]
    async fn get(server: &Server) -> Answer {
        server.get().await
    }
    let server = Server::that_fails();
    kit::together((0..1_000).map(|_| get(&server))).await;
    let calls = server.calls();
    assert_eq!(calls.len(), 2_000);
    let mut bins = [0; 10];
    for second in calls.iter().filter(|call| **call > 0.0) {
        bins[((second * 10.0) as usize).min(9)] += 1;
    }
    assert!(bins.iter().all(|bin| (50..=150).contains(bin)), "{bins:?}");
}
