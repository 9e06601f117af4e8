//! One idempotency key for all attempts of a call.

use crate::server::{Failure, millis, secs};
use retry_runtime::{Error, IdempotencyKey, Outcome, Policy, Reason, idempotency_key, retry};
use std::cell::{Cell, RefCell};

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
    for key in ["", "two\nlines", "ключ"] {
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
