//! What is known of a write that did not succeed, whatever happened after it.

use crate::server::{Answer, Failure, Server, UNAVAILABLE, millis, secs};
use retry_runtime::{
    Breaker, Budget, Classify, Delivery, Downstream, Error, InScope, Outcome, Policy, RateLimit,
    Reason, Scope, retry,
};
use std::time::Duration;
use tokio::time::sleep;

const THREE: Policy =
    Policy::fixed(millis(100)).max_attempts(3).attempt_timeout(secs(1)).deadline(secs(10));
const ONCE: Policy = Policy::once().attempt_timeout(secs(1)).deadline(secs(10));

const REFUSED: Answer = Err(Failure::Refused);
const BUSY: Answer = Err(Failure::Status(429));

#[retry(policy = THREE, idempotency_key = "order-1", downstream = shared)]
async fn charge(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
    let _ = retry_runtime::idempotency_key();
    server.get().await
}

#[retry(policy = ONCE, once)]
async fn charge_once(server: &Server) -> Result<u32, Error<Failure>> {
    server.get().await
}

#[retry(policy = THREE, idempotent)]
async fn read(server: &Server) -> Result<u32, Error<Failure>> {
    server.get().await
}

fn bank() -> Downstream {
    Downstream::new("bank").budget(Budget::ratio(1.0).per_second(10))
}

/// A downstream, what it answers, and why the call stops.
type Ending = (Downstream, Vec<Answer>, Reason);

/// Every way in which attempts that surely did nothing can end a call.
fn endings() -> Vec<Ending> {
    let come_back = |wait| Err(Failure::ComeBack { wait: Some(wait) });
    vec![
        (bank(), vec![REFUSED, REFUSED], Reason::AttemptLimit),
        (bank(), vec![BUSY, Err(Failure::Status(404))], Reason::NotRetryable),
        (bank(), vec![come_back(secs(60))], Reason::Deadline),
        (bank().budget(Budget::ratio(1.0)), vec![REFUSED], Reason::BudgetExhausted),
        (bank().breaker(Breaker::consecutive(2)), vec![REFUSED], Reason::CircuitOpen),
        (bank().rate_limit(RateLimit::per_second(1)), vec![REFUSED], Reason::RateLimited),
    ]
}

#[tokio::test(start_paused = true)]
async fn an_unknown_attempt_outlives_all_that_follows_and_the_reason_stays_the_real_one() {
    for (shared, after, reason) in endings() {
        let answers = [UNAVAILABLE].into_iter().chain(after);
        let error = charge(&Server::that_answers(answers), &shared).await.unwrap_err();
        assert_eq!((error.reason(), error.outcome()), (reason, Outcome::Unknown));
        let told = error.classify().delivery();
        assert_eq!(told, Delivery::Unknown, "an enclosing call hears of the first attempt, too");
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_that_surely_did_nothing_are_not_applied_whatever_the_reason() {
    for (shared, after, reason) in endings() {
        let answers = [BUSY].into_iter().chain(after);
        let error = charge(&Server::that_answers(answers), &shared).await.unwrap_err();
        assert_eq!((error.reason(), error.outcome()), (reason, Outcome::NotApplied));
        assert_ne!(error.classify().delivery(), Delivery::Unknown);
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_timed_out_is_unknown_though_the_next_is_refused() {
    let slow = Server::that_answers([Ok(1)]).after(secs(5)).then(REFUSED);
    let error = charge(&slow, &bank()).await.unwrap_err();
    assert_eq!((error.reason(), error.outcome()), (Reason::AttemptLimit, Outcome::Unknown));
}

#[tokio::test(start_paused = true)]
async fn what_was_written_inside_an_attempt_outweighs_what_its_last_error_says() {
    #[retry(policy = THREE, idempotent)]
    async fn checkout(bank: &Server, rest: &Server) -> Result<u32, Error<Error<Failure>>> {
        charge_once(bank).await?;
        read(rest).await
    }
    let refusing = || Server::that_fails().then(REFUSED);
    let (bank, rest) = (Server::that_answers([Ok(1)]), refusing());
    let error = checkout(&bank, &rest).await.unwrap_err();
    let refused = error.last().unwrap();
    assert_eq!((refused.reason(), refused.outcome()), (Reason::NotOwner, Outcome::NotApplied));
    assert_eq!((bank.count(), error.attempts()), (1, 2));
    assert_eq!(error.outcome(), Outcome::Unknown, "the first attempt did charge");

    let (bank, rest) = (refusing(), refusing());
    let error = checkout(&bank, &rest).await.unwrap_err();
    assert_eq!((bank.count(), rest.count()), (1, 0));
    assert_eq!(error.outcome(), Outcome::NotApplied, "no attempt wrote anything");
}

#[tokio::test(start_paused = true)]
async fn an_error_that_hides_an_unknown_write_does_not_hide_it_from_the_enclosing_call() {
    // A plain error has no room for the outcome: this one says only how the last attempt ended.
    #[retry(policy = THREE, idempotency_key = "order-1", downstream = shared)]
    async fn plain(server: &Server, shared: &Downstream) -> Answer {
        let _ = retry_runtime::idempotency_key();
        server.get().await
    }
    #[retry(policy = ONCE, once)]
    async fn outer(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        plain(server, shared).await
    }
    let server = Server::that_answers([UNAVAILABLE]).then(REFUSED);
    let error = outer(&server, &bank()).await.unwrap_err();
    assert_eq!((error.last(), server.count()), (Some(&Failure::Refused), 3));
    assert_eq!(error.outcome(), Outcome::Unknown);
}

#[tokio::test(start_paused = true)]
async fn a_write_two_calls_further_in_counts_and_a_read_does_not() {
    #[retry(policy = ONCE, idempotent)]
    async fn middle(bank: &Server) -> Result<u32, Error<Error<Failure>>> {
        charge_once(bank).await
    }
    #[retry(policy = ONCE, idempotent)]
    async fn writes(bank: &Server, rest: &Server) -> Result<u32, Error<Failure>> {
        // Side by side and one after the other are alike.
        let (charged, _) = tokio::join!(middle(bank), sleep(millis(5)));
        charged.map_err(|_| Failure::NotReplayable)?;
        rest.get().await
    }
    #[retry(policy = ONCE, idempotent)]
    async fn reads(bank: &Server, rest: &Server) -> Result<u32, Error<Failure>> {
        read(bank).await.map_err(|_| Failure::NotReplayable)?;
        rest.get().await
    }
    let (bank, rest) = (Server::that_fails().then(Ok(1)).after(millis(9)), Server::that_fails());
    let rest = rest.then(REFUSED);
    assert_eq!(writes(&bank, &rest).await.unwrap_err().outcome(), Outcome::Unknown);
    assert_eq!(reads(&bank, &rest).await.unwrap_err().outcome(), Outcome::NotApplied);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_no_call_remembers_no_write_for_the_next() {
    let request = async {
        let bank = Server::that_answers([Ok(1)]).then(REFUSED);
        assert_eq!(charge_once(&bank).await, Ok(1));
        charge_once(&bank).await.unwrap_err().outcome()
    };
    let scope = Scope::root(tokio::time::Instant::now() + Duration::from_secs(60));
    assert_eq!(request.with_scope(scope).await, Outcome::NotApplied);
}
