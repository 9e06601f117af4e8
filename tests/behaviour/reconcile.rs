//! A write that may have been applied is asked about before it is repeated.

use crate::server::{Answer, Failure, Server, UNAVAILABLE, millis, secs};
use retry_runtime::observe::{Event, Facts, Observer};
use retry_runtime::{
    Breaker, Classify, ConcurrencyLimit, Downstream, Error, IdempotencyKey, InScope, Outcome,
    Policy, RateLimit, Reason, Reconciled, Scope, idempotency_key, retry,
};
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

const THREE: Policy =
    Policy::fixed(millis(100)).max_attempts(3).attempt_timeout(secs(1)).deadline(secs(10));

/// The server that is charged, and the one that is asked; 0 is "not applied" and 404 "cannot say".
struct Bank {
    charges: Server,
    questions: Server,
    shared: Downstream,
}

impl Bank {
    fn new(
        charges: impl IntoIterator<Item = Answer>,
        questions: impl IntoIterator<Item = Answer>,
    ) -> Self {
        Self {
            charges: Server::that_answers(charges),
            questions: Server::that_answers(questions),
            // A question must not wait for the place of the attempt that it is about.
            shared: Downstream::new("bank").concurrency_limit(ConcurrencyLimit::new(1)),
        }
    }

    #[retry(
        policy = THREE,
        idempotency_key = "order-1",
        reconcile = |key| self.find(key),
        downstream = self.shared,
    )]
    async fn charge(&self) -> Result<u32, Error<Failure>> {
        assert_eq!(idempotency_key().unwrap().as_str(), "order-1");
        self.charges.get().await
    }

    async fn find(&self, key: &IdempotencyKey) -> Result<Reconciled<u32>, Failure> {
        assert_eq!(key.as_str(), "order-1");
        Ok(match self.questions.get().await? {
            0 => Reconciled::NotApplied,
            404 => Reconciled::Unknown,
            receipt => Reconciled::Applied(receipt),
        })
    }

    fn counts(&self) -> (usize, usize) {
        (self.charges.count(), self.questions.count())
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_that_was_applied_is_a_success_and_is_not_sent_again() {
    let bank = Bank::new([UNAVAILABLE], [Ok(7)]);
    assert_eq!(bank.charge().await, Ok(7));
    assert_eq!(bank.counts(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_write_that_was_not_applied_is_sent_again() {
    let bank = Bank::new([UNAVAILABLE, UNAVAILABLE, Ok(9)], [Ok(0), Ok(0)]);
    assert_eq!(bank.charge().await, Ok(9));
    assert_eq!(bank.counts(), (3, 2));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_can_answer_ends_the_call() {
    for answer in [Ok(404), UNAVAILABLE, Err(Failure::Refused)] {
        let bank = Bank::new([UNAVAILABLE], [answer]);
        let error = bank.charge().await.unwrap_err();
        assert_eq!((error.reason(), error.outcome()), (Reason::UnknownOutcome, Outcome::Unknown));
        assert_eq!(
            error.last(),
            Some(&Failure::Status(503)),
            "the charge's error, not the question's"
        );
        assert_eq!(bank.counts(), (1, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_surely_did_nothing_is_not_asked_about() {
    let bank = Bank::new([Err(Failure::Refused), Err(Failure::Status(429)), Ok(3)], []);
    assert_eq!(bank.charge().await, Ok(3));
    assert_eq!(bank.counts(), (3, 0), "a refused connection and a 429 applied nothing");
    let bank = Bank::new([Err(Failure::Status(404))], []);
    let error = bank.charge().await.unwrap_err();
    assert_eq!((error.outcome(), bank.counts()), (Outcome::NotApplied, (1, 0)));
}

#[tokio::test(start_paused = true)]
async fn the_last_attempt_is_asked_about_too() {
    let bank = Bank::new([UNAVAILABLE; 3], [Ok(0), Ok(0), Ok(5)]);
    assert_eq!(bank.charge().await, Ok(5));
    let bank = Bank::new([UNAVAILABLE; 3], [Ok(0), Ok(0), Ok(0)]);
    let error = bank.charge().await.unwrap_err();
    assert_eq!((error.reason(), error.outcome()), (Reason::AttemptLimit, Outcome::NotApplied));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_timed_out_is_asked_about_and_the_question_has_its_own_time() {
    let mut bank = Bank::new([Ok(1)], [Ok(8)]);
    bank.charges = Server::that_answers([Ok(1)]).after(secs(5));
    assert_eq!(bank.charge().await, Ok(8));
    bank.charges = Server::that_answers([Ok(1)]).after(secs(5));
    bank.questions = Server::that_answers([Ok(8)]).after(secs(5));
    let start = Instant::now();
    let error = bank.charge().await.unwrap_err();
    assert_eq!((error.reason(), start.elapsed()), (Reason::UnknownOutcome, secs(2)));
}

#[tokio::test(start_paused = true)]
async fn the_question_ends_with_the_call() {
    const SHORT: Policy = Policy::once().deadline(millis(300));
    #[retry(policy = SHORT, idempotency_key = key, reconcile = hang)]
    async fn write(key: &str) -> Result<u32, Error<Failure>> {
        let _ = key;
        tokio::time::sleep(millis(100)).await;
        UNAVAILABLE
    }
    async fn hang(_: &IdempotencyKey) -> Result<Reconciled<u32>, Failure> {
        std::future::pending().await
    }
    let start = Instant::now();
    let error = write("k").await.unwrap_err();
    assert_eq!((error.reason(), start.elapsed()), (Reason::UnknownOutcome, millis(300)));
    let refused = write("").await.unwrap_err();
    assert_eq!((refused.reason(), refused.elapsed()), (Reason::InvalidKey, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_cannot_be_asked_leaves_the_reason_why_and_nothing_is_sent_again() {
    let breaker = Breaker::consecutive(1);
    for (limited, reason) in [
        (Downstream::new("bank").breaker(breaker), Reason::CircuitOpen),
        (Downstream::new("bank").rate_limit(RateLimit::per_second(1)), Reason::RateLimited),
    ] {
        let mut bank = Bank::new([UNAVAILABLE], [Ok(7)]);
        bank.shared = limited;
        let error = bank.charge().await.unwrap_err();
        assert_eq!((error.reason(), error.outcome()), (reason, Outcome::Unknown));
        assert_eq!((error.last(), bank.counts()), (Some(&Failure::Status(503)), (1, 0)));
        assert!(!error.classify().is_retryable(), "nor may an enclosing call send it again");
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_uses_all_the_time_leaves_none_for_the_question() {
    const NO_TIMEOUT: Policy = Policy::once().deadline(secs(1));
    #[retry(policy = NO_TIMEOUT, idempotency_key = key, reconcile = find)]
    async fn hang(key: &str) -> Result<u32, Error<Failure>> {
        let _ = key;
        std::future::pending().await
    }
    async fn find(_: &IdempotencyKey) -> Result<Reconciled<u32>, Failure> {
        Ok(Reconciled::Applied(1))
    }
    let error = hang("k").await.unwrap_err();
    assert_eq!((error.reason(), error.outcome()), (Reason::Deadline, Outcome::Unknown));
}

/// The charge as the second step of something larger that is tried again as a whole.
#[retry(policy = THREE, idempotent = "the charge asks before it repeats itself")]
async fn checkout(bank: &Bank, rest: &Server) -> Result<u32, Error<Error<Failure>>> {
    let receipt = bank.charge().await?;
    step(rest).await?;
    Ok(receipt)
}

#[retry(policy = THREE, idempotent)]
async fn step(rest: &Server) -> Result<u32, Error<Failure>> {
    rest.get().await
}

#[tokio::test(start_paused = true)]
async fn in_a_second_attempt_of_an_enclosing_call_the_question_comes_first() {
    // The first attempt did charge, and failed at something else: unknown, or not even sent.
    for failure in [UNAVAILABLE, Err(Failure::Refused)] {
        let bank = Bank::new([Ok(7)], [Ok(7)]);
        let rest = Server::that_answers([failure, Ok(1)]);
        assert_eq!(checkout(&bank, &rest).await, Ok(7));
        assert_eq!(bank.counts(), (1, 1), "the second attempt found the charge of the first");
    }
}

#[tokio::test(start_paused = true)]
async fn an_enclosing_attempt_that_surely_wrote_nothing_is_not_asked_about() {
    let bank = Bank::new([Err(Failure::Refused), Ok(7)], []);
    assert_eq!(checkout(&bank, &Server::that_answers([Ok(1)])).await, Ok(7));
    assert_eq!(bank.counts(), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn after_an_enclosing_attempt_that_wrote_nothing_a_no_lets_the_write_be_sent() {
    // What fails comes before the charge this time, and nobody can say how far it got.
    #[retry(policy = THREE, idempotent = "the charge asks before it repeats itself")]
    async fn checkout(bank: &Bank, before: &Server) -> Result<u32, Error<Error<Failure>>> {
        step(before).await?;
        bank.charge().await
    }
    let bank = Bank::new([Ok(7)], [Ok(0)]);
    assert_eq!(checkout(&bank, &Server::that_answers([UNAVAILABLE, Ok(1)])).await, Ok(7));
    assert_eq!(bank.counts(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn without_an_answer_to_that_question_the_write_is_not_sent() {
    for answer in [Ok(404), UNAVAILABLE] {
        let bank = Bank::new([Ok(7)], [answer]);
        let rest = Server::that_answers([UNAVAILABLE, Ok(1)]);
        let error = checkout(&bank, &rest).await.unwrap_err();
        assert_eq!((bank.counts(), error.outcome()), ((1, 1), Outcome::Unknown));
        let charge = error.into_last().unwrap();
        assert_eq!((charge.reason(), charge.attempts()), (Reason::UnknownOutcome, 0));
        assert_eq!(charge.outcome(), Outcome::Unknown);
    }
}

/// The kinds of events, in their order.
#[derive(Default)]
struct Kinds(Mutex<Vec<String>>);

impl Observer for Kinds {
    fn observe(&self, event: &Event<'_>, _: &Facts<'_>) {
        let kind = format!("{event:?}");
        let end = kind.find(|c: char| !c.is_alphanumeric()).unwrap_or(kind.len());
        self.0.lock().unwrap().push(kind[..end].to_owned());
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_comes_first_is_told_between_the_start_of_its_call_and_the_attempt() {
    let kinds: &'static Kinds = Box::leak(Box::default());
    let mut bank = Bank::new([Ok(7), Ok(8)], [Ok(0)]);
    bank.shared = Downstream::new("bank").observer(kinds);
    assert_eq!(checkout(&bank, &Server::that_answers([UNAVAILABLE, Ok(1)])).await, Ok(8));
    let told = kinds.0.lock().unwrap().clone();
    let (first, second) = told.split_at(4);
    assert_eq!(first, ["CallStarted", "AttemptStarted", "AttemptEnded", "CallEnded"]);
    let asked = ["CallStarted", "QuestionStarted", "QuestionEnded"];
    let sent = ["AttemptStarted", "AttemptEnded", "CallEnded"];
    assert_eq!(second, [asked, sent].concat());
}

#[tokio::test(start_paused = true)]
async fn a_job_that_was_put_back_is_asked_about_first_and_its_attempt_has_its_own_time() {
    let mut bank = Bank::new([Ok(7)], [Ok(0)]);
    bank.questions = Server::that_answers([Ok(0)]).after(millis(800));
    bank.charges = Server::that_answers([Ok(7)]).after(millis(900));
    let mut job = serde_json::to_value(Scope::root(Instant::now() + secs(60))).unwrap();
    job["attempts"] = 1.into();
    let job: Scope = serde_json::from_value(job).unwrap();
    assert_eq!(bank.charge().with_scope(job).await, Ok(7), "the attempt may last a whole second");
    assert_eq!(bank.counts(), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn an_error_of_another_crate_is_judged_by_the_users_function_here_too() {
    #[retry(policy = THREE, idempotency_key = key, reconcile = find, classify = class)]
    async fn write(key: &str) -> Result<u32, Error<std::fmt::Error>> {
        let _ = key;
        Err(std::fmt::Error)
    }
    fn class(_: &std::fmt::Error) -> retry_runtime::Class {
        retry_runtime::Class::TRANSIENT
    }
    async fn find(_: &IdempotencyKey) -> Result<Reconciled<u32>, std::fmt::Error> {
        Ok(Reconciled::Applied(4))
    }
    assert_eq!(write("k").await, Ok(4));
}
