//! One owner of the retries in each request.

use crate::server::{Failure, Server, millis, secs};
use retry_runtime::{
    Budget, Classify, Downstream, Error, Jitter, Policy, Reason, Scope, idempotency_key, retry,
};
use std::cell::RefCell;

const OUTER: Policy =
    Policy::fixed(millis(100)).jitter(Jitter::None).max_attempts(4).deadline(secs(60));
const INNER: Policy = OUTER.max_attempts(3);

#[retry(policy = INNER, idempotent, downstream = shared, allow(no_jitter = "exact instants"))]
async fn inner(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
    server.get().await
}

#[retry(policy = OUTER, idempotent, downstream = shared, allow(no_jitter = "exact instants"))]
async fn outer(server: &Server, shared: &Downstream) -> Result<u32, Error<Error<Failure>>> {
    inner(server, shared).await
}

/// A budget without a reserve that holds so many tokens, earned by calls that succeeded.
async fn budget_of(tokens: u32) -> Downstream {
    let shared = Downstream::new("shared").budget(Budget::ratio(1.0));
    let healthy = Server::that_fails().then(Ok(1));
    for _ in 0..tokens {
        assert_eq!(inner(&healthy, &shared).await, Ok(1));
    }
    assert_eq!(shared.retry_tokens(), f64::from(tokens));
    shared
}

#[tokio::test(start_paused = true)]
async fn o_b09_inner_retries_are_off_inside_a_retried_call() {
    let shared = budget_of(5).await;
    let server = Server::that_fails();
    let error = outer(&server, &shared).await.unwrap_err();
    assert_eq!(server.calls(), [0.0, 0.1, 0.2, 0.3].map(rounded));
    assert_eq!(server.now(), 0.3);
    assert_eq!(error.reason(), Reason::AttemptLimit);
    assert_eq!(error.last().map(Error::reason), Some(Reason::NotOwner));
}

#[tokio::test(start_paused = true)]
async fn o_b09_the_shared_budget_caps_the_owner_too() {
    let shared = budget_of(0).await;
    let server = Server::that_fails();
    let error = outer(&server, &shared).await.unwrap_err();
    // The first inner call and the outer one deposit a token each; each of the two retries spends one.
    assert_eq!(server.count(), 3);
    assert_eq!((error.reason(), shared.retry_tokens()), (Reason::BudgetExhausted, 0.0));
}

#[tokio::test(start_paused = true)]
async fn o_b09_the_outer_deadline_ends_both_loops() {
    const SHORT: Policy = OUTER.max_attempts(40).deadline(millis(450)).cut_by_deadline();
    #[retry(policy = SHORT, idempotent, downstream = shared, allow(no_jitter = "exact instants"))]
    async fn short(server: &Server, shared: &Downstream) -> Result<u32, Error<Error<Failure>>> {
        inner(server, shared).await
    }
    let shared = budget_of(9).await;
    let server = Server::that_fails();
    let error = short(&server, &shared).await.unwrap_err();
    assert_eq!(server.calls(), [0.0, 0.1, 0.2, 0.3, 0.4].map(rounded));
    assert_eq!((server.now(), error.reason()), (0.4, Reason::Deadline));
}

/// Instants are sums of tenths, which no float is exactly.
fn rounded(secs: f64) -> f64 {
    std::time::Duration::from_secs_f64(secs).as_secs_f64()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_makes_one_attempt_owns_nothing_and_leaves_the_retries_to_its_inside() {
    const ONCE: Policy = Policy::once().deadline(secs(60));
    #[retry(policy = ONCE, once)]
    async fn write(server: &Server, shared: &Downstream) -> Result<u32, Error<Error<Failure>>> {
        inner(server, shared).await
    }
    let shared = budget_of(9).await;
    let server = Server::that_answers([Err(Failure::Refused), Ok(7)]);
    assert_eq!(write(&server, &shared).await, Ok(7));
    assert_eq!(server.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn errors_handed_up_keep_their_class_unless_their_retries_are_used_up() {
    let shared = budget_of(9).await;
    let own_retries_used_up = inner(&Server::that_fails(), &shared).await.unwrap_err();
    assert_eq!(own_retries_used_up.reason(), Reason::AttemptLimit);
    assert!(!own_retries_used_up.classify().is_retryable());

    let handed_up = outer(&Server::that_fails(), &shared).await.unwrap_err().into_last().unwrap();
    assert_eq!(handed_up.reason(), Reason::NotOwner);
    assert!(handed_up.classify().is_retryable());
}

#[tokio::test(start_paused = true)]
async fn a_write_without_a_key_is_not_sent_in_a_second_attempt() {
    const ONCE: Policy = Policy::once().deadline(secs(60));
    #[retry(policy = ONCE, once)]
    async fn write(sent: &RefCell<u32>) -> Result<(), Error<Failure>> {
        *sent.borrow_mut() += 1;
        Ok(())
    }
    #[retry(policy = OUTER, idempotent, allow(no_jitter = "exact instants"))]
    async fn twice(sent: &RefCell<u32>) -> Result<(), Error<Error<Failure>>> {
        write(sent).await?;
        // What follows the write fails, so that the whole is tried again.
        let failed = Server::that_fails();
        inner(&failed, &Downstream::new("other")).await.map(drop)
    }
    let sent = RefCell::new(0);
    let error = twice(&sent).await.unwrap_err();
    assert_eq!(*sent.borrow(), 1);
    assert_eq!((error.attempts(), error.reason()), (2, Reason::NotRetryable));
    let refused = error.into_last().unwrap();
    assert_eq!((refused.attempts(), refused.reason()), (0, Reason::NotOwner));
}

#[tokio::test(start_paused = true)]
async fn the_scope_carries_root_attempt_owner_and_key() {
    #[retry(policy = OUTER, idempotency_key = key, allow(no_jitter = "exact instants"))]
    async fn keyed(
        key: &str,
        seen: &RefCell<Vec<(u64, u32, bool, String)>>,
    ) -> Result<(), Error<Failure>> {
        let scope = Scope::current().unwrap();
        let sent = idempotency_key().unwrap().to_string();
        seen.borrow_mut().push((scope.root_id(), scope.attempt(), scope.has_owner(), sent));
        if scope.attempt() < 3 { Err(Failure::Refused) } else { Ok(()) }
    }
    let seen = RefCell::default();
    keyed("k1", &seen).await.unwrap();
    keyed("k2", &seen).await.unwrap();
    let seen = seen.into_inner();
    let (first, second) = seen.split_at(3);
    assert!(first.iter().all(|(root, _, owner, key)| *root == first[0].0 && *owner && key == "k1"));
    assert!(second.iter().all(|(root, ..)| *root == second[0].0 && *root != first[0].0));
    assert_eq!(
        seen.iter().map(|(_, attempt, ..)| *attempt).collect::<Vec<_>>(),
        [1, 2, 3, 1, 2, 3]
    );
    assert!(Scope::current().is_none());
}

#[tokio::test(start_paused = true)]
async fn calls_side_by_side_in_one_task_keep_their_scopes_apart() {
    #[retry(policy = OUTER, idempotency_key = key, allow(no_jitter = "exact instants"))]
    async fn keyed(key: &str, turns: u64) -> Result<String, Error<Failure>> {
        for _ in 0..turns {
            tokio::time::sleep(millis(7)).await;
        }
        Ok(idempotency_key().unwrap().to_string())
    }
    let (a, b) = tokio::join!(keyed("a", 9), keyed("b", 4));
    assert_eq!((a.unwrap(), b.unwrap()), ("a".to_owned(), "b".to_owned()));
}
