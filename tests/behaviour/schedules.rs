//! 100,000 random policies against random servers: what must hold whatever happens.

use crate::unchecked;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use retry_runtime::decide::TIMER_SLACK;
use retry_runtime::{Budget, Class, Classify, Downstream, Jitter, Policy, Reason};
use std::cell::RefCell;
use std::time::Duration;
use tokio::time::{Instant, advance, sleep};

/// How one attempt goes: how long it takes, and how it fails, or not.
#[derive(Clone, Debug)]
struct Step {
    takes: Duration,
    failure: Option<Broken>,
}

/// A failure with a number of its own, so that it is recognised in the result.
#[derive(Clone, Debug, PartialEq)]
struct Broken {
    number: usize,
    class: Class,
}

impl Classify for Broken {
    fn classify(&self) -> Class {
        self.class
    }
}

#[derive(Clone, Debug)]
struct Schedule {
    policy: Policy,
    base: Duration,
    cap: Duration,
    multiplier: f64,
    jitter: Jitter,
    max_attempts: u32,
    attempt_timeout: Option<Duration>,
    deadline: Duration,
    offset: Duration,
    steps: Vec<Step>,
}

fn micros(range: std::ops::Range<u64>) -> impl Strategy<Value = Duration> {
    range.prop_map(Duration::from_micros)
}

fn classes() -> impl Strategy<Value = Class> {
    prop_oneof![
        6 => Just(Class::TRANSIENT),
        2 => Just(Class::TRANSIENT.not_sent()),
        2 => micros(0..400_000).prop_map(|wait| Class::THROTTLED.retry_after(wait)),
        1 => Just(Class::THROTTLED.retry_after(Duration::MAX)),
        1 => Just(Class::PERMANENT),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (micros(0..200_000), proptest::option::weighted(0.9, classes()));
    proptest::collection::vec(step, 1..8).prop_map(|steps| {
        let numbered = steps.into_iter().enumerate().map(|(number, (takes, class))| Step {
            takes,
            failure: class.map(|class| Broken { number, class }),
        });
        numbered.collect()
    })
}

fn schedules() -> impl Strategy<Value = Schedule> {
    let jitters = prop_oneof![
        Just(Jitter::Full),
        Just(Jitter::Equal),
        Just(Jitter::Decorrelated),
        Just(Jitter::None)
    ];
    let backoff = (micros(1..100_000), micros(0..400_000), 1.0..4.0f64, jitters);
    let limits = (1..8u32, proptest::option::of(micros(1..150_000)), micros(1..1_000_000));
    (backoff, limits, micros(0..2_000), steps()).prop_map(|(backoff, limits, offset, steps)| {
        let (base, above, multiplier, jitter) = backoff;
        let (max_attempts, attempt_timeout, deadline) = limits;
        let cap = base + above;
        let mut policy = Policy::exponential(base, cap)
            .multiplier(multiplier)
            .jitter(jitter)
            .max_attempts(max_attempts)
            .deadline(deadline);
        if let Some(timeout) = attempt_timeout {
            policy = policy.attempt_timeout(timeout);
        }
        Schedule {
            policy,
            base,
            cap,
            multiplier,
            jitter,
            max_attempts,
            attempt_timeout,
            deadline,
            offset,
            steps,
        }
    })
}

/// One attempt as the server saw it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    start: Duration,
    /// None if it was cut.
    end: Option<Duration>,
}

async fn run(schedule: &Schedule) {
    advance(schedule.offset).await;
    let began = Instant::now();
    let seen = RefCell::new(Vec::<Seen>::new());
    let downstream = Downstream::new("any").budget(Budget::ratio(1.0).per_second(100));
    let result = unchecked::run(schedule.policy, &downstream, None, async || {
        let number = seen.borrow().len();
        seen.borrow_mut().push(Seen { start: began.elapsed(), end: None });
        let step = &schedule.steps[number % schedule.steps.len()];
        sleep(step.takes).await;
        seen.borrow_mut()[number].end = Some(began.elapsed());
        step.failure.clone().map_or(Ok(number), Err)
    })
    .await;
    let elapsed = began.elapsed();
    let seen = seen.into_inner();
    check_times(schedule, &seen, elapsed);
    check_waits(schedule, &seen);
    match result {
        Ok(number) => assert!(schedule.steps[number % schedule.steps.len()].failure.is_none()),
        Err(error) => check_error(schedule, &seen, &error),
    }
}

/// How late tokio's timer can be; see `retry_runtime::decide::TIMER_SLACK`.
const LATE: Duration = TIMER_SLACK;

fn check_times(schedule: &Schedule, seen: &[Seen], elapsed: Duration) {
    assert!(!seen.is_empty() && seen.len() <= schedule.max_attempts as usize);
    for attempt in seen {
        assert!(attempt.start < schedule.deadline, "an attempt starts at or after the deadline");
    }
    assert!(elapsed <= schedule.deadline + LATE, "the call outlives its deadline");
}

/// Each wait lies in its range, computed here anew and in another way.
fn check_waits(schedule: &Schedule, seen: &[Seen]) {
    let mut previous: Option<(Duration, Duration)> = None;
    for (at, pair) in seen.windows(2).enumerate() {
        let end = pair[0].end.unwrap_or_else(|| {
            let timeout = schedule.attempt_timeout.expect("only a timeout cuts and goes on");
            pair[0].start + timeout
        });
        // A cut attempt ends somewhat later than its timeout.
        let slack = if pair[0].end.is_none() { LATE } else { Duration::ZERO };
        let waited = pair[1].start.saturating_sub(end);
        let class = pair[0].end.and_then(|_| {
            schedule.steps[at % schedule.steps.len()].failure.as_ref().map(|broken| broken.class)
        });
        let hint = class.and_then(Class::hint).filter(|hint| !hint.is_zero());
        let (least, most) = match hint {
            Some(hint) => (hint, hint),
            None => range(schedule, at, previous),
        };
        assert!(waited + slack >= least, "wait {at} of {waited:?} is below {least:?}");
        assert!(waited <= most + slack + LATE, "wait {at} of {waited:?} is above {most:?}");
        if hint.is_none() {
            previous = Some((waited.saturating_sub(LATE), waited + slack));
        }
    }
}

/// From where to where the wait after attempt `at`, from 0, may be drawn.
fn range(
    schedule: &Schedule,
    at: usize,
    previous: Option<(Duration, Duration)>,
) -> (Duration, Duration) {
    let mut grown = schedule.base.as_secs_f64();
    for _ in 0..at {
        grown *= schedule.multiplier;
    }
    let nanosecond = Duration::from_nanos(1);
    let limit = Duration::from_secs_f64(grown.min(schedule.cap.as_secs_f64()));
    match schedule.jitter {
        Jitter::Full => (Duration::ZERO, limit + nanosecond),
        Jitter::Equal => ((limit / 2).saturating_sub(nanosecond), limit + nanosecond),
        Jitter::Decorrelated => {
            let longest = previous.map_or(schedule.base, |(_, longest)| longest);
            (schedule.base, schedule.cap.min(longest * 3))
        }
        _ => (limit.saturating_sub(nanosecond), limit + nanosecond),
    }
}

fn check_error(schedule: &Schedule, seen: &[Seen], error: &retry_runtime::Error<Broken>) {
    assert_eq!(error.attempts() as usize, seen.len());
    let last = seen.iter().enumerate().rev().find(|(_, attempt)| attempt.end.is_some());
    let last = last.and_then(|(at, _)| schedule.steps[at % schedule.steps.len()].failure.as_ref());
    assert_eq!(error.last(), last, "the last real error is in the result");
    let ended = seen.last().and_then(|attempt| attempt.end);
    if let Some(ended) = ended {
        let idle = error.elapsed().saturating_sub(ended);
        assert_eq!(idle, Duration::ZERO, "a wait was begun in vain: {:?}", error.reason());
    }
    let class = ended.and(last).map(|broken| broken.class);
    match error.reason() {
        Reason::NotRetryable => assert!(!class.unwrap().is_retryable()),
        Reason::AttemptLimit => assert_eq!(seen.len(), schedule.max_attempts as usize),
        Reason::Deadline | Reason::RetryAfterTooLong => {}
        other => panic!("{other:?} is not to be expected here"),
    }
}

#[test]
fn a_hundred_thousand_random_schedules_keep_every_promise_about_time() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let config = Config {
        cases: 100_000,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let result = runner.run(&schedules(), |schedule| {
        runtime.block_on(run(&schedule));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
