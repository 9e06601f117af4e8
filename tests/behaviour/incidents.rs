//! What happened to others.

use crate::server::{Failure, Server, millis, secs};
use kit::{E, calls, down, script, together};
use retry_runtime::{Budget, Downstream, Error, Policy, Reason, retry};
use std::time::Duration;

#[test]
fn o_c1_a_hot_loop_is_refused() {
    let hot =
        Policy::exponential(Duration::ZERO, Duration::ZERO).max_attempts(500).deadline(secs(60));
    let refusal = hot.check().unwrap_err().to_string();
    assert!(refusal.contains("`base`") && refusal.contains("0 ms"), "{refusal}");
}

#[tokio::test(start_paused = true)]
async fn o_c1_a_budget_keeps_five_hundred_attempts_from_finishing_off_a_store() {
    const STUBBORN: Policy =
        Policy::exponential(millis(50), secs(2)).max_attempts(500).deadline(secs(3_600));
    static STORE: Downstream = Downstream::new("store").budget(Budget::ratio(0.1));
    #[retry(policy = STUBBORN, idempotent, downstream = STORE)]
    async fn get(server: &Server) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let server = Server::that_fails();
    let results = together((0..100).map(|_| get(&server))).await;
    assert!(server.count() <= 110, "{} calls", server.count());
    let errors = results.into_iter().map(Result::unwrap_err);
    let stopped = errors.filter(|error| {
        assert_eq!(error.last(), Some(&Failure::Status(503)));
        error.reason() == Reason::BudgetExhausted
    });
    assert!(stopped.count() >= 90);
}

/// The first function of the case, without an effect, is `ui/fail/effect` and does not compile.
#[tokio::test(start_paused = true)]
async fn o_c4_a_charge_with_a_key_and_a_read_are_retried_and_once_is_not() {
    const ONE: Policy = Policy::once().deadline(secs(1));
    struct Bank;
    impl Bank {
        #[retry(policy = kit::P, idempotency_key = order)]
        async fn charge(&self, order: &str, cents: u32) -> Result<u32, E> {
            let _ = order;
            down(cents).await
        }
        #[retry(policy = kit::P, idempotent)]
        async fn balance(&self) -> Result<u32, E> {
            down(0).await
        }
        #[retry(policy = ONE, once)]
        async fn give(&self, cents: u32) -> Result<u32, E> {
            down(cents).await
        }
    }
    script([Err(E(1)), Ok(7)]);
    assert_eq!((Bank.charge("o1", 5).await, calls()), (Ok(7), vec![5, 5]));
    script([Err(E(1)), Ok(8)]);
    assert_eq!((Bank.balance().await, calls()), (Ok(8), vec![0, 0]));
    script([Err(E(1)), Ok(9)]);
    assert_eq!((Bank.give(5).await, calls()), (Err(E(1)), vec![5]));
}
