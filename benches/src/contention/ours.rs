//! What a downstream is asked and told by a call that succeeds at once.

use super::operation::Operation;
use retry_runtime::__private::admit_and_succeed;
use retry_runtime::{Breaker, Budget, ConcurrencyLimit, Downstream, RateLimit};
use tokio::time::Instant;

static BUDGET: Downstream = Downstream::new("budget");
/// A budget so large that no run fills it, so that every call writes what it deposits.
static FILLING: Downstream =
    Downstream::new("filling").budget(Budget::ratio(0.2).per_second(u32::MAX));
static BREAKER: Downstream = Downstream::new("breaker").breaker(Breaker::consecutive(5));
static SHARE: Downstream = Downstream::new("share").breaker(Breaker::failure_ratio(0.5));
static PLACES: Downstream =
    Downstream::new("places").concurrency_limit(ConcurrencyLimit::new(1_000));
/// More than any machine can ask for. The burst makes up for threads that read the clock in one
/// order and come here in another.
static RATE: Downstream =
    Downstream::new("rate").rate_limit(RateLimit::per_second(1_000_000_000).burst(u32::MAX));

/// All of them have a budget; but for one it is the default, and full.
pub(super) fn operations() -> impl Iterator<Item = Operation> {
    [
        ("budget", &BUDGET),
        ("budget that is not full", &FILLING),
        ("budget, breaker", &BREAKER),
        ("budget, breaker by failure ratio", &SHARE),
        ("budget, concurrency limit", &PLACES),
        ("budget, rate limit", &RATE),
    ]
    .into_iter()
    .map(|(name, downstream)| Operation::new(name, move |now| admit_and_succeed(downstream, now)))
    .chain([Operation::new("budget, breaker, and the clock", |_| {
        admit_and_succeed(&BREAKER, Instant::now())
    })])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn succeed(downstream: &Downstream, times: u32) {
        let now = Instant::now();
        assert!((0..times).all(|_| admit_and_succeed(downstream, now)));
    }

    #[test]
    fn each_success_deposits_a_fifth_of_a_token_until_the_budget_is_full() {
        let downstream = Downstream::new("test");
        succeed(&downstream, 5);
        assert!((downstream.retry_tokens() - 11.0).abs() < f64::EPSILON);
        succeed(&downstream, 1_000);
        assert!((downstream.retry_tokens() - 100.0).abs() < f64::EPSILON);
    }

    #[test]
    fn the_large_budget_is_never_full() {
        let before = FILLING.retry_tokens();
        succeed(&FILLING, 1_000);
        assert!(FILLING.retry_tokens() >= before + 200.0);
    }

    #[test]
    fn the_breakers_stay_closed() {
        for downstream in [&BREAKER, &SHARE] {
            succeed(downstream, 1_000);
            assert_eq!(downstream.breaker_state(), "closed");
        }
    }

    #[test]
    fn a_place_is_given_back() {
        let downstream = Downstream::new("test").concurrency_limit(ConcurrencyLimit::new(1));
        succeed(&downstream, 1_000);
    }

    #[test]
    fn the_rate_limit_is_asked() {
        let downstream = Downstream::new("test").rate_limit(RateLimit::per_second(1));
        let now = Instant::now();
        assert!(admit_and_succeed(&downstream, now));
        assert!(!admit_and_succeed(&downstream, now));
    }
}
