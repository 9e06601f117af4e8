//! A downstream that is failing is left alone, and comes back by and by.

use crate::server::{Answer, DAY, Failure, Server, millis, secs};
use kit::together;
use retry_runtime::{Breaker, Downstream, Error, Jitter, Outcome, Policy, Reason, retry};
use std::cell::{Cell, RefCell};
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until, timeout};

pub const ONCE: Policy = Policy::once().deadline(DAY);

/// Open for exactly ten seconds, and all traffic back at once, as the cases assume.
pub const EXACT: Breaker =
    Breaker::consecutive(2).open_for(secs(10)).open_jitter(0.0).recover_over(Duration::ZERO);

#[retry(policy = ONCE, idempotent, downstream = shared)]
pub async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
    server.get().await
}

pub async fn fail(shared: &Downstream) {
    assert_eq!(
        get(&Server::that_fails(), shared).await.unwrap_err().reason(),
        Reason::AttemptLimit
    );
}

pub async fn succeed(shared: &Downstream) {
    assert_eq!(get(&Server::that_fails().then(Ok(1)), shared).await, Ok(1));
}

pub async fn refused(shared: &Downstream) -> Error<Failure> {
    let server = Server::that_fails();
    let error = get(&server, shared).await.unwrap_err();
    assert_eq!((error.reason(), server.count()), (Reason::CircuitOpen, 0));
    error
}

#[tokio::test(start_paused = true)]
async fn o_b07_a_probe_that_is_dropped_gives_its_place_to_the_next() {
    let shared = Downstream::new("shared").breaker(EXACT);
    let start = Instant::now();
    let at = |seconds: f64| sleep_until(start + Duration::from_secs_f64(seconds));
    fail(&shared).await;
    assert_eq!(shared.breaker_state(), "closed");
    fail(&shared).await;
    assert_eq!(shared.breaker_state(), "open");

    at(5.0).await;
    let error = refused(&shared).await;
    assert_eq!(error.retry_after(), Some(secs(5)), "says when to come back");
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotApplied));

    at(10.0).await;
    let hangs = Server::that_fails().after(DAY);
    let probe = timeout(secs(1), get(&hangs, &shared));
    let other = async {
        at(10.5).await;
        assert_eq!(shared.breaker_state(), "half-open");
        refused(&shared).await;
    };
    let (dropped, ()) = tokio::join!(probe, other);
    assert!(dropped.is_err());
    assert_eq!(shared.breaker_state(), "half-open", "the drop itself moves nothing");

    let slow = Server::that_fails().then(Ok(3)).after(millis(200));
    assert_eq!(get(&slow, &shared).await, Ok(3));
    assert_eq!((shared.breaker_state(), start.elapsed()), ("closed", millis(11_200)));
    at(11.3).await;
    succeed(&shared).await;
}

#[tokio::test(start_paused = true)]
async fn o_b07_an_aborted_task_and_a_lost_select_give_the_place_back_too() {
    let shared: &'static Downstream = Box::leak(Box::new(Downstream::new("shared").breaker(EXACT)));
    fail(shared).await;
    fail(shared).await;
    sleep(secs(10)).await;
    #[retry(policy = ONCE, idempotent, downstream = shared)]
    async fn hang(shared: &Downstream) -> Result<u32, Error<Failure>> {
        let _ = shared;
        std::future::pending().await
    }
    let task = tokio::spawn(hang(shared));
    tokio::task::yield_now().await;
    refused(shared).await;
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    tokio::select! {
        _ = hang(shared) => unreachable!(),
        () = sleep(millis(1)) => {}
    }
    succeed(shared).await;
    assert_eq!(shared.breaker_state(), "closed");
}

#[tokio::test(start_paused = true)]
async fn o_b07_a_permanent_answer_to_a_probe_proves_that_somebody_is_there() {
    let shared = Downstream::new("shared").breaker(EXACT);
    fail(&shared).await;
    fail(&shared).await;
    sleep(secs(10)).await;
    let missing = Server::that_answers([Err(Failure::Status(404))]);
    assert_eq!(get(&missing, &shared).await.unwrap_err().reason(), Reason::NotRetryable);
    succeed(&shared).await;
}

#[tokio::test(start_paused = true)]
async fn o_c2_work_that_is_always_too_slow_is_asked_for_five_times_and_then_left_alone() {
    const FIVE: Policy = Policy::exponential(millis(100), secs(60))
        .jitter(Jitter::None)
        .max_attempts(5)
        .attempt_timeout(secs(1))
        .deadline(secs(10));
    #[retry(policy = FIVE, idempotent, downstream = shared, allow(no_jitter = "exact instants"))]
    async fn get(
        server: &Server,
        shared: &Downstream,
        running: &Cell<u32>,
    ) -> Result<u32, Error<Failure>> {
        let _running = Running::one_more(running);
        server.get().await
    }
    struct Running<'r>(&'r Cell<u32>);
    impl<'r> Running<'r> {
        fn one_more(running: &'r Cell<u32>) -> Self {
            running.set(running.get() + 1);
            assert_eq!(running.get(), 1, "a cut attempt is really gone before the next one");
            Self(running)
        }
    }
    impl Drop for Running<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }
    let breaker = Breaker::consecutive(5).open_for(secs(30)).open_jitter(0.0);
    let shared = Downstream::new("shared").breaker(breaker);
    let (server, running) = (Server::that_fails().then(Ok(1)).after(secs(3)), Cell::new(0));
    let error = get(&server, &shared, &running).await.unwrap_err();
    assert_eq!(server.calls(), [0.0, 1.1, 2.3, 3.7, 5.5]);
    assert_eq!((server.now(), error.reason()), (6.5, Reason::AttemptLimit));
    assert_eq!(shared.breaker_state(), "open");

    let error = get(&server, &shared, &running).await.unwrap_err();
    assert_eq!((server.count(), server.now(), error.reason()), (5, 6.5, Reason::CircuitOpen));

    sleep(secs(30)).await;
    let both = together((0..2).map(|_| async {
        let alone = Cell::new(0);
        get(&server, &shared, &alone).await.unwrap_err().reason()
    }));
    let reasons = both.await;
    assert_eq!(server.calls()[5..], [36.5], "call 3 is the only probe");
    assert!(reasons.contains(&Reason::CircuitOpen));
    assert_eq!(shared.breaker_state(), "open", "the probe timed out");
}

#[tokio::test(start_paused = true)]
async fn o_c3_breakers_that_opened_together_do_not_probe_together() {
    let breaker = Breaker::consecutive(1).open_for(secs(10));
    let mut tenths = [0; 10];
    for _ in 0..1_000 {
        let shared = Downstream::new("shared").breaker(breaker);
        fail(&shared).await;
        let wait = refused(&shared).await.retry_after().unwrap();
        assert!((secs(10)..=secs(12)).contains(&wait), "{wait:?}");
        tenths[((wait.as_secs_f64() - 10.0) / 0.2).min(9.0) as usize] += 1;
    }
    assert!(tenths.iter().all(|share| *share <= 250), "{tenths:?}");
}

#[tokio::test(start_paused = true)]
async fn fifty_callers_at_once_are_one_probe() {
    let shared = Downstream::new("shared").breaker(EXACT);
    fail(&shared).await;
    fail(&shared).await;
    sleep(secs(10)).await;
    let server = Server::that_fails().then(Ok(1)).after(secs(1));
    let results = together((0..50).map(|_| get(&server, &shared))).await;
    assert_eq!((server.count(), results.iter().filter(|result| result.is_ok()).count()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn late_answers_of_an_earlier_state_count_for_nothing() {
    let shared = Downstream::new("shared").breaker(EXACT);
    let slow_failure = Server::that_fails().after(secs(11));
    let late = get(&slow_failure, &shared);
    let rest = async {
        fail(&shared).await;
        fail(&shared).await;
        sleep(millis(10_500)).await;
        succeed(&shared).await;
        assert_eq!(shared.breaker_state(), "closed");
        fail(&shared).await;
        sleep(secs(1)).await;
    };
    let (late, ()) = tokio::join!(late, rest);
    assert!(late.is_err());
    assert_eq!(shared.breaker_state(), "closed", "it would have been the second in a row");
    fail(&shared).await;
    assert_eq!(shared.breaker_state(), "open");
}

#[tokio::test(start_paused = true)]
async fn traffic_comes_back_by_the_slow_start_formula() {
    const CALLS: usize = 10_000;
    let breaker = EXACT.recover_over(secs(100));
    let shared = Downstream::new("shared").breaker(breaker);
    fail(&shared).await;
    fail(&shared).await;
    sleep(secs(10)).await;
    succeed(&shared).await;
    let recovering = Instant::now();
    for passed in [0, 5, 10, 25, 50, 75, 99] {
        sleep_until(recovering + secs(passed)).await;
        assert_eq!(shared.breaker_state(), "recovering");
        let server = Server::that_fails().then(Ok(1));
        for _ in 0..CALLS {
            let _ = get(&server, &shared).await;
        }
        let share = server.count() as f64 / CALLS as f64;
        let formula = (passed as f64 / 100.0).max(0.1);
        assert!((share - formula).abs() < 0.02, "{share} of the calls after {passed} s");
    }
    sleep_until(recovering + secs(100)).await;
    succeed(&shared).await;
    assert_eq!(shared.breaker_state(), "closed");
}

#[tokio::test(start_paused = true)]
async fn a_failure_while_recovering_opens_again_for_twice_as_long_up_to_the_limit() {
    let breaker = EXACT.recover_over(secs(5)).max_open_for(secs(35));
    let shared = Downstream::new("shared").breaker(breaker);
    fail(&shared).await;
    fail(&shared).await;
    for open in [10, 20, 35, 35] {
        assert_eq!(refused(&shared).await.retry_after(), Some(secs(open)));
        sleep(secs(open)).await;
        succeed(&shared).await;
        assert_eq!(shared.breaker_state(), "recovering");
        // Some are turned away while it recovers; the first that gets through fails.
        while shared.breaker_state() == "recovering" {
            let _ = get(&Server::that_fails(), &shared).await;
        }
    }
    sleep(secs(35)).await;
    succeed(&shared).await;
    sleep(secs(5)).await;
    succeed(&shared).await;
    fail(&shared).await;
    fail(&shared).await;
    assert_eq!(refused(&shared).await.retry_after(), Some(secs(10)), "closed: it begins anew");
}

#[tokio::test(start_paused = true)]
async fn failures_in_a_row_lie_within_their_window() {
    let shared = Downstream::new("shared").breaker(Breaker::consecutive(3).within(secs(20)));
    for _ in 0..5 {
        fail(&shared).await;
        sleep(secs(15)).await;
        fail(&shared).await;
        sleep(secs(15)).await;
    }
    assert_eq!(shared.breaker_state(), "closed");
    fail(&shared).await;
    fail(&shared).await;
    fail(&shared).await;
    assert_eq!(shared.breaker_state(), "open");
}

#[tokio::test(start_paused = true)]
async fn a_breaker_that_opens_ends_the_call_before_its_next_wait() {
    const MANY: Policy = Policy::fixed(millis(100)).max_attempts(9).deadline(DAY);
    #[retry(policy = MANY, idempotent, downstream = shared)]
    async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let shared = Downstream::new("shared").breaker(EXACT);
    let (server, before) = (Server::that_fails(), shared.retry_tokens());
    let error = get(&server, &shared).await.unwrap_err();
    assert_eq!((server.count(), error.reason()), (2, Reason::CircuitOpen));
    assert_eq!(error.last(), Some(&Failure::Status(503)));
    let tokens = shared.retry_tokens() - before;
    assert!(tokens > -1.0, "one retry was paid for, and part of it came back: {tokens}");
}

/// Call by call, the sequences of the MicroProfile fault tolerance suite: volume 4, ratio 0.75.
mod microprofile {
    use super::*;

    async fn run(breaker: Breaker, calls: &str) -> usize {
        let shared = Downstream::new("shared").breaker(breaker);
        let executions = RefCell::new(0);
        for call in calls.chars() {
            let answer: Answer = if call == 'S' { Ok(1) } else { Err(Failure::Status(503)) };
            if call == 'w' {
                sleep(secs(10)).await;
                continue;
            }
            let server = Server::that_answers([answer]);
            let result = get(&server, &shared).await;
            *executions.borrow_mut() += server.count();
            let open = result.is_err_and(|error| error.reason() == Reason::CircuitOpen);
            assert_eq!(open, call == 'o', "at {call} of {calls}");
        }
        executions.into_inner()
    }

    const VOLUME_FOUR: Breaker = Breaker::failure_ratio(0.75)
        .minimum_calls(4)
        .open_for(secs(10))
        .open_jitter(0.0)
        .recover_over(Duration::ZERO);

    #[tokio::test(start_paused = true)]
    async fn four_failures_open_it() {
        assert_eq!(run(VOLUME_FOUR, "FFFFooo").await, 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_success_closes_it_and_the_window_begins_anew() {
        assert_eq!(run(VOLUME_FOUR, "FFFFowSFFFFo").await, 9);
    }

    #[tokio::test(start_paused = true)]
    async fn two_successes_close_it() {
        assert_eq!(run(VOLUME_FOUR.probes(2), "FFFFowSSF").await, 7);
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_before_the_third_success_opens_it_again() {
        assert_eq!(run(VOLUME_FOUR.probes(3), "FFFFowSSFo").await, 7);
    }

    #[tokio::test(start_paused = true)]
    async fn the_success_may_come_first_or_last() {
        assert_eq!(run(VOLUME_FOUR, "SFFFo").await, 4);
        assert_eq!(run(VOLUME_FOUR, "FFFSo").await, 4);
    }

    #[tokio::test(start_paused = true)]
    async fn another_volume_and_ratio_are_another_breaker() {
        assert_eq!(run(VOLUME_FOUR.minimum_calls(2), "FFo").await, 2);
        let all = Breaker::failure_ratio(1.0).minimum_calls(2).open_for(secs(10)).open_jitter(0.0);
        assert_eq!(run(all, "FSFSFSF").await, 7);
    }
}

#[test]
fn o_b12_settings_that_can_only_hurt_are_refused_and_named() {
    for (breaker, named) in [
        (Breaker::consecutive(0), "after 0 failures"),
        (Breaker::failure_ratio(0.0), "a `failure_ratio` of 0,"),
        (Breaker::failure_ratio(1.5), "a `failure_ratio` of 1.5"),
        (Breaker::failure_ratio(f64::NAN), "a `failure_ratio` of NaN"),
        (Breaker::failure_ratio(0.5).minimum_calls(0), "`minimum_calls` 0"),
        (EXACT.within(Duration::ZERO), "`within` 0 ms"),
        (EXACT.open_for(Duration::ZERO), "open for 0 ms"),
        (EXACT.open_jitter(-0.1), "an `open_jitter` of -0.1"),
        (EXACT.max_open_for(secs(1)), "a `max_open_for` of 1 s below its `open_for` of 10 s"),
        (EXACT.probes(0), "0 `probes`"),
        (EXACT.probes(1_001), "1001 `probes`"),
    ] {
        let error = Downstream::new("bank").try_breaker(breaker).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
}
