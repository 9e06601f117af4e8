//! Retries as a layer of tower.

use crate::calls::body::{Body, Failed};
use crate::calls::case::Case;
use crate::calls::{ATTEMPTS, BASE, CAP};
use std::sync::Arc;
use std::time::Duration;
use tower::Service;
use tower::retry::Retry;
use tower::retry::backoff::{Backoff, ExponentialBackoff, ExponentialBackoffMaker, MakeBackoff};
use tower::retry::budget::{Budget, TpsBudget};
use tower::util::rng::HasherRng;

pub(super) fn tower<B: Body>() -> Case {
    let make = || {
        let policy = Policy { budget: budget(), retries: ATTEMPTS - 1, backoff: backoff() };
        let mut service = Retry::new(policy, tower::service_fn(B::run));
        move |number| service.call(number)
    };
    Case::new("tower, retry with a budget", make)
}

/// So large that it pays for two retries a call.
pub(super) fn budget() -> Arc<TpsBudget> {
    Arc::new(TpsBudget::new(Duration::from_secs(10), super::PLENTY, 1.0))
}

#[expect(clippy::expect_used, reason = "it refuses nothing but a cap below the base")]
fn backoff() -> ExponentialBackoff {
    ExponentialBackoffMaker::new(BASE, CAP, 1.0, HasherRng::new())
        .map(|mut maker| maker.make_backoff())
        .expect("the base is below the cap")
}

#[derive(Clone)]
struct Policy {
    budget: Arc<TpsBudget>,
    retries: u32,
    backoff: ExponentialBackoff,
}

impl tower::retry::Policy<u64, u64, Failed> for Policy {
    type Future = <ExponentialBackoff as Backoff>::Future;

    fn retry(&mut self, _: &mut u64, result: &mut Result<u64, Failed>) -> Option<Self::Future> {
        if result.is_ok() {
            self.budget.deposit();
            return None;
        }
        if self.retries == 0 || !self.budget.withdraw() {
            return None;
        }
        self.retries -= 1;
        Some(self.backoff.next_backoff())
    }

    fn clone_request(&mut self, request: &u64) -> Option<u64> {
        Some(*request)
    }
}
