//! One idempotency key for all attempts of a call.

use crate::server::{Failure, millis, secs};
use retry_runtime::{
    Error, IdempotencyKey, InvalidKey, Outcome, Policy, Reason, ToIdempotencyKey, idempotency_key,
    retry,
};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

const THREE: Policy = Policy::fixed(millis(10)).max_attempts(3).deadline(secs(9));

/// Makes `k1`, `k2` and so on, and remembers what was sent.
#[derive(Default)]
struct Mint {
    made: Cell<u32>,
    sent: RefCell<Vec<String>>,
}

impl Mint {
    fn next_key(&self) -> String {
        self.made.set(self.made.get() + 1);
        format!("k{}", self.made.get())
    }

    fn send(&self, key: &IdempotencyKey) {
        self.sent.borrow_mut().push(key.to_string());
    }
}

#[retry(policy = THREE, idempotency_key = mint.next_key())]
async fn charge(mint: &Mint, failures: &Cell<u32>) -> Result<(), Error<Failure>> {
    mint.send(&idempotency_key().unwrap());
    tokio::task::yield_now().await;
    match failures.get() {
        0 => Ok(()),
        left => {
            failures.set(left - 1);
            Err(Failure::Status(503))
        }
    }
}

#[tokio::test(start_paused = true)]
async fn o_b11_the_key_is_made_once_a_call_and_sent_on_every_attempt() {
    let mint = Mint::default();
    for calls in 1..=2 {
        charge(&mint, &Cell::new(2)).await.unwrap();
        assert_eq!(mint.made.get(), calls);
    }
    assert_eq!(mint.sent.into_inner(), ["k1", "k1", "k1", "k2", "k2", "k2"]);
}

#[tokio::test(start_paused = true)]
async fn o_b11_calls_at_once_never_share_or_swap_keys() {
    let mint = Mint::default();
    let (one, two) = (Cell::new(2), Cell::new(2));
    let (a, b) = tokio::join!(charge(&mint, &one), charge(&mint, &two));
    assert_eq!((a, b), (Ok(()), Ok(())));
    let mut sent = mint.sent.into_inner();
    assert_eq!(mint.made.get(), 2);
    sent.sort();
    assert_eq!(sent, ["k1", "k1", "k1", "k2", "k2", "k2"]);
}

#[tokio::test(start_paused = true)]
async fn a_key_that_is_empty_at_run_time_ends_the_call_before_anything_is_sent() {
    #[retry(policy = THREE, idempotency_key = key)]
    async fn send(key: &str, sent: &Cell<u32>) -> Result<(), Error<Failure>> {
        let _ = key;
        sent.set(sent.get() + 1);
        Ok(())
    }
    for key in ["", "   ", "two\nlines", "ключ"] {
        let sent = Cell::new(0);
        let error = send(key, &sent).await.unwrap_err();
        assert_eq!((error.reason(), error.attempts()), (Reason::InvalidKey, 0));
        assert_eq!((error.outcome(), sent.get()), (Outcome::NotApplied, 0));
    }
}

#[test]
fn a_key_holds_any_printable_text_of_any_length() {
    for length in [1, 36, 38, 39, 255, 10_000] {
        let text = "k".repeat(length);
        assert_eq!(IdempotencyKey::new(&text).unwrap().as_str(), text);
    }
    assert_eq!(IdempotencyKey::new("a b~").unwrap().to_string(), "a b~");
    assert_eq!(format!("{:?}", IdempotencyKey::new("k").unwrap()), "IdempotencyKey(\"k\")");
}

#[test]
fn every_kind_of_text_is_a_key() {
    fn text(key: impl ToIdempotencyKey) -> String {
        key.to_idempotency_key().unwrap().to_string()
    }
    let texts = [
        text("k1"),
        text(String::from("k1")),
        text(Cow::from("k1")),
        text(Box::<str>::from("k1")),
        text(Arc::<str>::from("k1")),
        text(Rc::new(String::from("k1"))),
        text("k1".parse::<IdempotencyKey>()),
        text(IdempotencyKey::new("k1")),
    ];
    assert_eq!(texts, ["k1"; 8]);
}

#[test]
fn two_writes_for_one_id_have_two_keys_and_no_two_pairs_share_one() {
    let key = |write: &str, id: &str| IdempotencyKey::of(write, id).map(|key| key.to_string());
    assert_eq!(key("charge", "4711"), Ok("charge:4711".to_owned()));
    assert_ne!(key("charge", "4711"), key("refund", "4711"));
    assert_eq!(IdempotencyKey::of("charge", 4711).unwrap().as_str(), "charge:4711");
    assert_eq!(key("charge", "eu:4711"), Ok("charge:eu:4711".to_owned()));
    assert_eq!(key("charge:eu", "4711"), Err(InvalidKey::Colon), "it would be the same");
    for (write, id) in [("", "4711"), (" ", "4711"), ("charge", ""), ("charge", "  ")] {
        assert_eq!(key(write, id), Err(InvalidKey::Empty));
    }
    assert_eq!(key("charge", "4711\n"), Err(InvalidKey::NotPrintable));
}

#[tokio::test(start_paused = true)]
async fn a_key_that_its_constructor_refuses_ends_the_call_before_anything_is_sent() {
    #[retry(policy = THREE, idempotency_key = IdempotencyKey::of("charge", order))]
    async fn send(order: &str, sent: &Cell<u32>) -> Result<String, Error<Failure>> {
        sent.set(sent.get() + 1);
        Ok(idempotency_key().unwrap().to_string())
    }
    let sent = Cell::new(0);
    assert_eq!(send("4711", &sent).await, Ok("charge:4711".to_owned()));
    let error = send("", &sent).await.unwrap_err();
    assert_eq!((error.reason(), error.attempts(), sent.get()), (Reason::InvalidKey, 0, 1));
}
