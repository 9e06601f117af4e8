//! The same of other crates.

use super::operation::Operation;
use super::{FAILSAFE, RECLOSER, TOWER};
use failsafe::{CircuitBreaker, Config};
use recloser::Recloser;
use std::convert::Infallible;
use std::sync::Arc;
use tower::retry::budget::{Budget, TpsBudget};

/// With the defaults of each crate; tower's are those of `retry`.
pub(super) fn operations() -> impl Iterator<Item = Operation> {
    let budget = Arc::new(TpsBudget::default());
    let breaker = Config::new().build();
    [
        deposit(budget),
        call(breaker.clone()),
        ask(breaker),
        through_recloser(Recloser::custom().build()),
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

fn through_recloser(breaker: Recloser) -> Operation {
    Operation::new(RECLOSER, move |_| breaker.call(|| Ok::<(), Infallible>(())).is_ok())
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

    #[test]
    fn calls_go_through_reclosers_breaker_until_it_opens() {
        let breaker = Recloser::custom().closed_len(10).build();
        let fail = || breaker.call(|| Err::<(), ()>(())).is_err();
        assert!((0..20).all(|_| fail()));
        assert!(!through_recloser(breaker).repeat(Instant::now(), 1));
        assert!(through_recloser(Recloser::custom().build()).repeat(Instant::now(), 100));
    }
}
