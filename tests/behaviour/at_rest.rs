//! A scope that is written down, and taken up again by another worker.

use crate::server::{Failure, millis, secs};
use retry_runtime::{Error, IdempotencyKey, InScope, Jitter, Policy, Reason, Scope, retry};
use std::cell::{Cell, RefCell};
use tokio::time::Instant;

const THREE: Policy =
    Policy::fixed(millis(100)).jitter(Jitter::None).max_attempts(3).deadline(secs(60));
const ONCE: Policy = Policy::once().deadline(secs(60));

/// Writes its scope down in every attempt, as a worker does, and fails.
#[retry(policy = THREE, idempotent, allow(no_jitter = "exact instants"))]
async fn job(written: &RefCell<Vec<String>>) -> Result<(), Error<Failure>> {
    let scope = serde_json::to_string(&Scope::current().unwrap()).unwrap();
    written.borrow_mut().push(scope);
    Err(Failure::Status(503))
}

fn read(written: &str) -> Scope {
    serde_json::from_str(written).unwrap()
}

async fn run(scope: Scope) -> (Vec<String>, Error<Failure>) {
    let written = RefCell::default();
    let error = job(&written).with_scope(scope).await.unwrap_err();
    (written.into_inner(), error)
}

#[tokio::test]
async fn a_job_that_is_put_back_keeps_its_root_deadline_and_attempts() {
    let key = IdempotencyKey::new("order-1").unwrap();
    let fresh = Scope::root(Instant::now() + secs(3)).idempotency_key(key);
    let (written, _) = run(fresh.clone()).await;
    assert_eq!(written.len(), 3);

    // The worker was killed in its first attempt; the next one has two left.
    let again = read(&written[0]);
    assert_eq!(again.root_id(), fresh.root_id());
    assert_eq!(again.request_attempt(), 2);
    assert_eq!(again.key(), fresh.key());
    let (was, is) = (fresh.deadline().unwrap(), again.deadline().unwrap());
    assert!(is <= was && was - is < millis(50), "the deadline moved by {:?}", was - is);
    let (rest, error) = run(again).await;
    assert_eq!((rest.len(), error.reason()), (2, Reason::AttemptLimit));

    // It was killed in its third attempt: there is none left, and nothing is sent.
    let (rest, error) = run(read(&written[2])).await;
    assert_eq!((rest.len(), error.reason(), error.attempts()), (0, Reason::AttemptLimit, 0));
}

#[tokio::test]
async fn a_new_job_starts_anew() {
    let (one, two) = (Scope::root(Instant::now() + secs(3)), Scope::root(Instant::now() + secs(3)));
    assert_ne!(one.root_id(), two.root_id());
    assert_eq!(run(one).await.0.len(), 3);
    assert_eq!(run(two).await.0.len(), 3);
}

#[tokio::test]
async fn a_write_without_a_key_is_not_sent_by_the_worker_that_takes_a_job_over() {
    #[retry(policy = ONCE, once)]
    async fn write(sent: &Cell<u32>) -> Result<(), Error<Failure>> {
        sent.set(sent.get() + 1);
        Ok(())
    }
    let sent = Cell::new(0);
    let (written, _) = run(Scope::root(Instant::now() + secs(3))).await;
    let error = write(&sent).with_scope(read(&written[0])).await.unwrap_err();
    assert_eq!((error.reason(), sent.get()), (Reason::NotOwner, 0));
}

#[tokio::test]
async fn a_deadline_that_has_passed_at_rest_ends_the_job_at_once() {
    let past = r#"{"root":"00000000075bcd15","deadline":"2001-09-09T01:46:40.000Z","attempts":0}"#;
    let (written, error) = run(read(past)).await;
    assert_eq!((written.len(), error.reason()), (0, Reason::Deadline));
}

#[test]
fn what_is_no_scope_is_refused_in_words() {
    let error = |text: &str| serde_json::from_str::<Scope>(text).unwrap_err().to_string();
    for root in ["", "0000000000000000", "75bcd15", "+0000000075bcd15", "00000000075bcd1g"] {
        let text = format!(r#"{{"root":"{root}","attempts":0}}"#);
        assert!(error(&text).starts_with("`root` is not sixteen hexadecimal digits"), "{root}");
    }
    let root = r#""root":"00000000075bcd15""#;
    assert!(error(&format!("{{{root}}}")).contains("missing field `attempts`"));
    assert!(error(&format!(r#"{{{root},"attempts":-1}}"#)).contains("invalid value"));
    assert!(error(&format!(r#"{{{root},"attempts":1,"owner":1}}"#)).contains("unknown field"));
    let dated = format!(r#"{{{root},"attempts":1,"deadline":"tomorrow"}}"#);
    assert!(error(&dated).contains("timestamp"));
    let keyed = format!(r#"{{{root},"attempts":1,"idempotency_key":""}}"#);
    assert!(error(&keyed).contains("key is empty"));
}
