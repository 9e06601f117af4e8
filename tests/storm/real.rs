//! A storm does what real calls do.

use crate::scene::{down_for, millis, secs, with};
use kit::together;
use retry_runtime::storm::{Report, Storm};
use retry_runtime::{Budget, Class, Classify, Downstream, Error, Jitter, Policy, Reason, retry};
use std::cell::RefCell;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const POLICY: Policy = Policy::exponential(millis(100), secs(1))
    .jitter(Jitter::None)
    .max_attempts(4)
    .attempt_timeout(millis(50))
    .deadline(secs(5));

#[derive(Debug)]
struct Failure;

impl Classify for Failure {
    fn classify(&self) -> Class {
        Class::TRANSIENT
    }
}

/// Down until `up`, and in 8 ms otherwise.
struct Leaf {
    begins: Instant,
    up: Duration,
    sent: RefCell<Vec<(Duration, u32)>>,
}

#[retry(
    policy = POLICY,
    idempotent,
    downstream = shared,
    allow(no_jitter = "compared with a simulation")
)]
async fn call(leaf: &Leaf, shared: &Downstream, client: u32) -> Result<(), Error<Failure>> {
    let at = leaf.begins.elapsed();
    leaf.sent.borrow_mut().push((at, client));
    if at < leaf.up {
        sleep(millis(5)).await;
        return Err(Failure);
    }
    sleep(millis(8)).await;
    Ok(())
}

async fn really(up: Duration, budget: Budget) -> (Vec<(Duration, u32)>, Vec<Option<Reason>>) {
    let shared = Downstream::new("leaf").budget(budget);
    let leaf = Leaf { begins: Instant::now(), up, sent: RefCell::default() };
    let ends = together((0..40).map(|client| call(&leaf, &shared, client))).await;
    let reasons = ends.iter().map(|end| end.as_ref().err().map(Error::reason)).collect();
    (leaf.sent.into_inner(), reasons)
}

fn simulated(up: Duration, budget: Budget) -> Report {
    let storm = Storm::new(POLICY, down_for(up)).clients(40).keep_sends();
    storm.run(with(budget)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn forty_calls_send_at_the_same_instants_and_end_for_the_same_reasons() {
    for up in [3, 150, 300, 500, 5_000].map(millis) {
        for budget in [Budget::ratio(0.2), Budget::ratio(0.51), Budget::DEFAULT] {
            let (sent, reasons) = really(up, budget).await;
            let report = simulated(up, budget);
            assert_eq!(report.sent.len(), sent.len(), "up after {up:?}, {budget:?}");
            for (simulated, (at, client)) in report.sent.iter().zip(&sent) {
                assert_eq!(simulated.client, *client);
                // Each of up to seven waits may end two milliseconds late by tokio's timer.
                assert!(at.saturating_sub(simulated.at) < millis(14) && *at >= simulated.at);
            }
            let count = |reason| reasons.iter().filter(|end| **end == reason).count() as u64;
            assert_eq!(report.successes, count(None));
            for reason in [Reason::BudgetExhausted, Reason::AttemptLimit] {
                assert_eq!(report.failures_by(reason), count(Some(reason)));
            }
        }
    }
}
