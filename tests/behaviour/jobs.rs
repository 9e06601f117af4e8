//! A scope that waits in a queue between two attempts, as the worker writes it and reads it again.

use crate::server::{Failure, Server, millis, secs};
use retry_runtime::{Error, InScope, Jitter, Outcome, Policy, Reason, Scope, retry};
use std::cell::RefCell;
use tokio::time::Instant;

const FOUR: Policy =
    Policy::fixed(millis(100)).jitter(Jitter::None).max_attempts(4).deadline(secs(60));
const ONCE: Policy = Policy::once().deadline(secs(60));

/// What a queue holds of a scope.
fn written(scope: &Scope) -> String {
    toml::to_string(scope).unwrap()
}

fn read(job: &str) -> Scope {
    toml::from_str(job).unwrap()
}

fn new_job(max_attempts: u32) -> String {
    written(&Scope::root(Instant::now() + secs(30)).max_attempts(max_attempts))
}

/// The line of a job that begins with this name.
fn line<'j>(job: &'j str, name: &str) -> &'j str {
    job.lines().find(|line| line.starts_with(name)).unwrap_or_default()
}

/// Writes its scope down as every attempt begins, as a worker does.
#[retry(policy = FOUR, idempotent, allow(no_jitter = "exact instants"))]
async fn work(server: &Server, store: &RefCell<String>) -> Result<u32, Error<Failure>> {
    *store.borrow_mut() = Scope::current().map(|scope| written(&scope)).unwrap_or_default();
    server.get().await
}

#[retry(policy = ONCE, once)]
async fn work_once(server: &Server) -> Result<u32, Error<Failure>> {
    server.get().await
}

/// A worker that is killed in its first attempt.
async fn kill_in_attempt(store: &RefCell<String>) {
    let server = Server::that_fails().after(secs(20));
    let job = read(&store.borrow());
    let killed = tokio::time::timeout(millis(50), work(&server, store).with_scope(job)).await;
    assert!(killed.is_err() && server.count() == 1);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_is_taken_up_ten_times_keeps_its_root_and_its_deadline_to_the_millisecond() {
    let store = RefCell::new(new_job(100));
    let before = store.borrow().clone();
    for attempts in 1..=10 {
        kill_in_attempt(&store).await;
        let after = store.borrow();
        assert_eq!(line(&after, "attempts"), format!("attempts = {attempts}"));
        for name in ["root", "deadline", "max_attempts"] {
            assert_eq!(line(&after, name), line(&before, name));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_a_policy_brings_forward_is_written_in_place_of_the_one_that_was_read() {
    const SHORT: Policy = Policy::once().deadline(secs(1));
    #[retry(policy = SHORT, idempotent)]
    async fn short() -> Result<String, Error<Failure>> {
        Ok(Scope::current().map(|scope| written(&scope)).unwrap_or_default())
    }
    let job = new_job(3);
    let inside = short().with_scope(read(&job)).await.unwrap();
    assert!(line(&inside, "deadline") < line(&job, "deadline"));
}

#[tokio::test(start_paused = true)]
async fn what_a_killed_worker_did_is_unknown_and_a_once_call_is_not_sent_again() {
    let refused = Server::that_answers([Err(Failure::Refused)]);
    let error = work_once(&refused).with_scope(read(&new_job(4))).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::NotApplied);

    let store = RefCell::new(new_job(4));
    kill_in_attempt(&store).await;
    let server = Server::that_fails();
    let job = read(&store.borrow());
    let error = work_once(&server).with_scope(job).await.unwrap_err();
    assert_eq!((error.reason(), error.outcome()), (Reason::UnknownOutcome, Outcome::Unknown));
    assert_eq!(server.count(), 0);
}
