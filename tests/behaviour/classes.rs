//! What deserves a retry, and for how long a server may ask to be left alone.

use crate::server::{Answer, DAY, Failure, Server, UNAVAILABLE, millis, secs};
use retry_runtime::{Class, Classify, Error, Jitter, Outcome, Policy, Reason, classify, retry};
use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

const FOUR: Policy =
    Policy::exponential(millis(100), secs(9)).jitter(Jitter::None).max_attempts(4).deadline(DAY);

#[retry(policy = FOUR, idempotent, allow(no_jitter = "exact instants"))]
async fn get(server: &Server) -> Answer {
    server.get().await
}

async fn calls_for(answers: impl IntoIterator<Item = Answer>) -> (usize, Answer) {
    let server = Server::that_answers(answers);
    let result = get(&server).await;
    (server.count(), result)
}

fn status(status: u16) -> Answer {
    Err(Failure::Status(status))
}

#[tokio::test(start_paused = true)]
async fn o_b13_only_failures_that_may_pass_are_tried_again() {
    assert_eq!(calls_for([status(404)]).await, (1, status(404)));
    assert_eq!(calls_for([status(401)]).await, (1, status(401)));
    assert_eq!(calls_for([status(422)]).await, (1, status(422)));
    assert_eq!(calls_for([status(503), status(404)]).await, (2, status(404)));
    assert_eq!(calls_for([status(429), status(408), status(425), Ok(200)]).await, (4, Ok(200)));
    assert_eq!(calls_for([Err(Failure::Refused), Ok(200)]).await, (2, Ok(200)));
    let fixed = Err(Failure::NotReplayable);
    assert_eq!(calls_for([fixed.clone()]).await, (1, fixed));
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("while reading the page")]
#[classify(inherit)]
struct Wrapped(#[source] Failure);

#[test]
fn o_b13_wrappers_say_what_is_inside() {
    for (status, retryable) in [(503, true), (404, false)] {
        let failure = Failure::Status(status);
        assert_eq!(failure.classify().is_retryable(), retryable);
        assert_eq!(Arc::new(failure.clone()).classify(), failure.classify());
        assert_eq!(Box::new(failure.clone()).classify(), failure.classify());
        let wrapped = Wrapped(failure.clone());
        assert_eq!(wrapped.classify(), failure.classify());
        let erased: Box<dyn StdError> = Box::new(wrapped);
        assert_eq!(classify::find::<Failure>(&*erased), Some(failure.classify()));
        assert_eq!(classify::find::<std::io::Error>(&*erased), None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_hint_replaces_the_delay_and_nothing_is_added() {
    let come_back = |wait| Err(Failure::ComeBack { wait });
    let server = Server::that_answers([come_back(Some(secs(7))), UNAVAILABLE, Ok(1)]);
    assert_eq!(get(&server).await, Ok(1));
    assert_eq!(server.calls(), [0.0, 7.0, 7.2], "the backoff goes on from its own limit");

    let server = Server::that_answers([come_back(Some(Duration::ZERO)), come_back(None), Ok(1)]);
    assert_eq!(get(&server).await, Ok(1));
    assert_eq!(server.calls(), [0.0, 0.1, 0.3], "a hint of zero is no hint");
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_is_too_long_ends_the_call_and_stays_readable() {
    #[retry(policy = FOUR, idempotent, allow(no_jitter = "exact instants"))]
    async fn get(server: &Server) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    for (wait, reason) in [(secs(301), Reason::RetryAfterTooLong), (DAY, Reason::Deadline)] {
        let server = Server::that_answers([Err(Failure::ComeBack { wait: Some(wait) })]);
        let error = get(&server).await.unwrap_err();
        assert_eq!((server.count(), server.now()), (1, 0.0));
        assert_eq!((error.reason(), error.retry_after()), (reason, Some(wait)));
        assert_eq!(error.outcome(), Outcome::NotApplied, "the server refused");
    }
}

#[test]
fn io_errors_are_classified_by_their_kind() {
    use std::io::{Error, ErrorKind};
    let class = |kind: ErrorKind| Error::from(kind).classify();
    assert_eq!(class(ErrorKind::ConnectionRefused), Class::TRANSIENT.not_sent());
    for kind in [ErrorKind::ConnectionReset, ErrorKind::TimedOut, ErrorKind::BrokenPipe] {
        assert_eq!(class(kind), Class::TRANSIENT, "{kind}");
    }
    for kind in [ErrorKind::NotFound, ErrorKind::PermissionDenied, ErrorKind::InvalidData] {
        assert_eq!(class(kind), Class::PERMANENT, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_io_error_carries_a_stop_and_its_class() {
    const SHORT: Policy = Policy::once().attempt_timeout(millis(20)).deadline(secs(1));
    #[retry(policy = SHORT, idempotent)]
    async fn hang() -> std::io::Result<u32> {
        std::future::pending().await
    }
    let error = hang().await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    assert!(error.classify().is_retryable(), "its one attempt was made, and no retry used up");
    assert!(error.to_string().contains("no attempts are left"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn o_a06_an_anyhow_result_is_a_result() {
    fn class(error: &anyhow::Error) -> Class {
        error.downcast_ref::<Failure>().map_or(Class::PERMANENT, Failure::classify)
    }
    #[retry(policy = FOUR, idempotent, classify = class, allow(no_jitter = "exact instants"))]
    async fn d(server: &Server) -> anyhow::Result<u32> {
        Ok(server.get().await?)
    }
    let server = Server::that_answers([UNAVAILABLE, Ok(4)]);
    assert_eq!(d(&server).await.unwrap(), 4);
    assert_eq!(server.count(), 2);
}
