//! Every golden expansion is compiled here as ordinary code, and run.

/// Includes a golden, which is formatted as `cargo expand` formats it.
macro_rules! goldens {
    ($($name:ident)*) => {
        $(
            #[rustfmt::skip]
            #[allow(unused_imports, unused_braces, clippy::all)]
            mod $name;
        )*
    };
}

goldens!(classify impl_trait methods once options patterns read readme reconcile trait_method);

use kit::bank::{Bank, Order, PayError, Receipt, Reply};
use kit::{E, calls, script};
use retry_runtime::{Downstream, Outcome, Reason};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use trait_method::Store;

#[tokio::test(start_paused = true)]
async fn the_readme_charges_with_the_same_key_on_every_attempt() {
    let lost = || Err(PayError::Lost);
    let bank = Bank::that_answers([lost(), lost(), Ok(Reply(Some(Receipt(9))))]);
    let order = Order { key: "order-1".into(), cents: 5 };
    assert_eq!(readme::charge(&bank, &order).await, Ok(Receipt(9)));
    assert_eq!(bank.keys(), ["order-1"; 3]);
    assert_eq!(readme::PAYMENTS.name(), "payments");
    assert!(readme::CHECKOUT.check().is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_readme_says_that_a_lost_answer_leaves_the_outcome_unknown() {
    let lost = || Err(PayError::Lost);
    let bank = Bank::that_answers([lost(), Ok(Reply(None))]);
    let order = Order { key: "order-2".into(), cents: 5 };
    let error = readme::charge(&bank, &order).await.unwrap_err();
    assert_eq!(error.reason(), Reason::NotRetryable);
    assert_eq!(error.outcome(), Outcome::Unknown);
    assert_eq!(error.last(), Some(&PayError::Refused));
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_asked_about() {
    let bank = Bank::that_answers([Err(PayError::Lost), Ok(Reply(Some(Receipt(9))))]);
    let order = Order { key: "order-3".into(), cents: 5 };
    assert_eq!(reconcile::charge(&bank, &order).await, Ok(Receipt(9)));
    assert_eq!(bank.keys(), ["order-3"; 2], "one charge and one question");
}

#[tokio::test(start_paused = true)]
async fn the_body_starts_anew_on_every_attempt() {
    script([Err(E(1)), Ok(2), Err(E(1)), Ok(3), Ok(4)]);
    assert_eq!(read::read(1).await, Ok(7));
    assert_eq!(calls(), [1, 1, 2, 1, 3]);
}

#[tokio::test(start_paused = true)]
async fn once_makes_one_attempt() {
    script([Err(E(1)), Ok(2)]);
    let error = once::send(7).await.unwrap_err();
    assert_eq!((error.reason(), error.outcome()), (Reason::AttemptLimit, Outcome::Unknown));
    assert_eq!(calls(), [7]);
}

#[tokio::test(start_paused = true)]
async fn methods_lend_self_to_each_attempt() {
    let mut conn = methods::Conn { id: 5, hits: 0, name: "main".into() };
    script([Err(E(1)), Ok(0)]);
    assert_eq!(conn.name().await, Ok("main"));
    assert_eq!(calls(), [5, 5]);
    script([Err(E(1)), Err(E(1)), Ok(9)]);
    assert_eq!(conn.hit().await, Ok(9));
    assert_eq!(calls(), [1, 2, 3], "self is the caller's, and so is what attempts leave in it");
    script([Err(E(1)), Ok(8)]);
    assert_eq!(Arc::new(conn).shared().await, Ok(8));
}

#[tokio::test(start_paused = true)]
async fn mutable_and_cloned_parameters_are_fresh_on_every_attempt() {
    script([Err(E(1)), Err(E(1)), Ok(100)]);
    assert_eq!(patterns::patterns(1, (2, 3), 0, "four".into()).await, Ok(107));
    assert_eq!(calls(), [4, 4, 4]);
}

#[tokio::test(start_paused = true)]
async fn impl_trait_comes_out() {
    script([Err(E(1)), Ok(2)]);
    let numbers: Vec<u32> = impl_trait::numbers(3u8).await.unwrap().collect();
    assert_eq!(numbers, [3, 4]);
}

#[tokio::test(start_paused = true)]
async fn a_boxed_error_is_judged_by_the_users_function() {
    script([Err(E(1)), Ok(1)]);
    assert_eq!(classify::parsed("41").await.unwrap()(1), 2);
    assert_eq!(calls(), [41, 41]);
    script([]);
    assert!(classify::parsed("x").await.is_err());
    assert!(calls().is_empty());
}

#[tokio::test(start_paused = true)]
async fn options_are_arguments_of_the_call() {
    let shard = options::Shard { downstream: Arc::new(Downstream::new("shard")) };
    script([Err(E(1)), Err(E(1)), Err(E(1))]);
    let until = Instant::now() + Duration::from_millis(1_500);
    assert_eq!(options::poll(&shard, until).await, Err(E(1)));
    assert_eq!(calls(), [1, 0], "the third attempt would start after the deadline");
    // 10 at the start, 0.2 for the call, 10 for the second that passed, 1 spent on the retry.
    assert_eq!(shard.downstream.retry_tokens(), 19.2);
}

#[tokio::test(start_paused = true)]
async fn a_default_method_of_a_trait_is_retried() {
    struct Numbers;
    impl Store<u32> for Numbers {
        fn number(&self, key: u32) -> u32 {
            key + 1
        }
    }
    script([Err(E(1)), Ok(7)]);
    assert_eq!(Numbers.get(1).await, Ok(7));
    assert_eq!(calls(), [2, 2]);
}
