//! The same of other crates, and what the machine itself can do.

use super::operation::Operation;
use failsafe::{CircuitBreaker, Config};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tower::retry::budget::{Budget, TpsBudget};

/// The deposit that tower's retry layer makes for a success.
pub(super) const TOWER: &str = "tower, deposit";
/// A call through failsafe's breaker, which asks for leave and reports the success.
pub(super) const FAILSAFE: &str = "failsafe, call";

/// Shares nothing that is written, so two threads do it twice as often as one, unless something else
/// runs on their cores.
pub(super) const LOAD: &str = "atomic load";

static WORD: AtomicU64 = AtomicU64::new(0);

/// With the defaults of each crate; tower's are those of `retry`.
pub(super) fn operations() -> impl Iterator<Item = Operation> {
    let budget = Arc::new(TpsBudget::default());
    let breaker = Config::new().build();
    [
        deposit(budget),
        call(breaker.clone()),
        ask(breaker),
        Operation::new(LOAD, |_| WORD.load(Relaxed) != u64::MAX),
        Operation::new("atomic addition", |_| WORD.fetch_add(1, Relaxed) != u64::MAX),
    ]
    .into_iter()
}

fn deposit(budget: Arc<TpsBudget>) -> Operation {
    Operation::new(TOWER, move |_| {
        budget.deposit();
        true
    })
}

fn call(breaker: impl CircuitBreaker + Sync + 'static) -> Operation {
    Operation::new(FAILSAFE, move |_| breaker.call(|| Ok::<(), Infallible>(())).is_ok())
}

fn ask(breaker: impl CircuitBreaker + Sync + 'static) -> Operation {
    Operation::new("failsafe, is_call_permitted", move |_| breaker.is_call_permitted())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::Instant;

    #[test]
    fn deposits_bring_tokens_to_towers_budget() {
        let budget = Arc::new(TpsBudget::new(Duration::from_secs(60), 0, 0.2));
        assert!(!budget.withdraw());
        assert!(deposit(Arc::clone(&budget)).repeat(Instant::now(), 10));
        assert!(budget.withdraw());
    }

    #[test]
    fn calls_go_through_failsafes_breaker_and_leave_it_closed() {
        let breaker = Config::new().build();
        assert!(call(breaker.clone()).repeat(Instant::now(), 100));
        assert!(ask(breaker.clone()).repeat(Instant::now(), 100));
        assert_eq!(format!("{breaker:?}"), "StateMachine { state: \"closed\" }");
        for _ in 0..100 {
            breaker.on_error();
        }
        assert!(!call(breaker.clone()).repeat(Instant::now(), 1));
        assert!(!ask(breaker).repeat(Instant::now(), 1));
    }
}
