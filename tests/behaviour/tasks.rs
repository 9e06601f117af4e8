//! A scope that is taken along, into tasks and onto threads.

use crate::server::{Failure, Server, millis, secs};
use retry_runtime::{Error, InScope, Jitter, Outcome, Policy, Reason, Scope, in_scope, retry};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::runtime::Handle;
use tokio::task::{JoinSet, spawn, spawn_blocking};
use tokio::time::Instant;

const THREE: Policy =
    Policy::fixed(millis(100)).jitter(Jitter::None).max_attempts(3).deadline(secs(60));
const ONCE: Policy = Policy::once().deadline(secs(60));

type Done = Result<u32, Error<Failure>>;
type Outer = Result<u32, Error<Error<Failure>>>;

/// How often the far side was called.
#[derive(Clone, Default)]
struct Calls(Arc<AtomicU32>);

impl Calls {
    fn fail(&self) -> Result<u32, Failure> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(Failure::Status(503))
    }

    fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

#[retry(policy = THREE, idempotent, allow(no_jitter = "exact instants"))]
async fn leaf(calls: &Calls) -> Done {
    calls.fail()
}

#[retry(policy = ONCE, once)]
async fn write(calls: &Calls) -> Done {
    calls.fail()
}

/// Three attempts, each of which makes its call as `inside` says.
macro_rules! outer {
    ($name:ident, |$calls:ident| $inside:expr) => {
        #[retry(policy = THREE, idempotent, allow(no_jitter = "exact instants", spawn_in_body = "awaited"))]
        async fn $name(outer: &Calls) -> Outer {
            let $calls = outer.clone();
            $inside
        }
    };
}

#[retry(policy = THREE, idempotent, allow(no_jitter = "exact instants"))]
async fn joined(outer: &Calls) -> Outer {
    let calls = outer.clone();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { leaf(&calls).await }.in_scope());
    tasks.join_next().await.unwrap().unwrap()
}

outer!(without_scope, |calls| spawn(async move { leaf(&calls).await }).await.unwrap());
outer!(spawned, |calls| spawn(async move { leaf(&calls).await }.in_scope()).await.unwrap());
outer!(blocking, |calls| {
    let work = in_scope(move || Handle::current().block_on(leaf(&calls)));
    spawn_blocking(work).await.unwrap()
});
outer!(written, |calls| spawn(async move { write(&calls).await }.in_scope()).await.unwrap());

#[tokio::test(start_paused = true)]
async fn a_task_without_a_scope_multiplies_and_one_with_it_does_not() {
    let calls = Calls::default();
    let error = without_scope(&calls).await.unwrap_err();
    // The task used its own three attempts up, which is permanent to the call outside.
    assert_eq!((calls.count(), error.reason()), (3, Reason::NotRetryable));

    let calls = Calls::default();
    let error = spawned(&calls).await.unwrap_err();
    assert_eq!((calls.count(), error.reason()), (3, Reason::AttemptLimit));
    assert_eq!(error.last().map(Error::reason), Some(Reason::NotOwner));
}

#[tokio::test(start_paused = true)]
async fn join_sets_keep_the_scope() {
    let calls = Calls::default();
    let error = joined(&calls).await.unwrap_err();
    assert_eq!((calls.count(), error.reason()), (3, Reason::AttemptLimit));
}

#[tokio::test]
async fn threads_that_block_keep_the_scope() {
    let calls = Calls::default();
    let error = blocking(&calls).await.unwrap_err();
    assert_eq!((calls.count(), error.reason()), (3, Reason::AttemptLimit));
}

#[tokio::test(start_paused = true)]
async fn a_write_in_a_task_of_a_second_attempt_is_refused_before_it_is_sent() {
    let calls = Calls::default();
    let error = written(&calls).await.unwrap_err();
    // The first attempt wrote, and failed with an unknown outcome, which no outer call may repeat.
    assert_eq!((calls.count(), error.reason()), (1, Reason::NotRetryable));
    assert_eq!(error.last().map(Error::outcome), Some(Outcome::Unknown));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_a_request_ends_the_calls_in_its_tasks() {
    let request = Scope::root(Instant::now() + millis(150));
    let root = request.root_id();
    let work = async {
        let server = Server::that_fails().after(millis(40));
        let calls = Calls::default();
        let task = spawn(async move { (leaf(&calls).await, Scope::current()) }.in_scope());
        let (result, scope) = task.await.unwrap();
        (result, scope.map(|scope| scope.root_id()), server.now())
    };
    let (result, seen, at) = work.with_scope(request).await;
    // One wait of 100 ms fits, a second would end at 200 ms.
    let error = result.unwrap_err();
    assert_eq!((error.reason(), error.attempts(), at), (Reason::Deadline, 2, 0.1));
    assert_eq!(seen, Some(root));
}

#[tokio::test(start_paused = true)]
async fn the_calls_of_a_request_are_independent_of_each_other() {
    let request = Scope::root(Instant::now() + secs(60));
    let work = async {
        let calls = Calls::default();
        for _ in 0..3 {
            assert_eq!(leaf(&calls).await.unwrap_err().reason(), Reason::AttemptLimit);
            assert_eq!(Scope::current().unwrap().request_attempt(), 1);
        }
        calls.count()
    };
    assert_eq!(work.with_scope(request).await, 9);
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_the_request_holds_for_all_its_calls_together() {
    let request = Scope::root(Instant::now() + secs(60)).max_attempts(4);
    let work = async {
        let calls = Calls::default();
        let (one, two) = (leaf(&calls).await.unwrap_err(), leaf(&calls).await.unwrap_err());
        (one.attempts(), two.attempts(), two.reason(), calls.count())
    };
    // Three retries: two of the first call, one of the second.
    assert_eq!(work.with_scope(request).await, (3, 2, Reason::AttemptLimit, 5));
}

mod owners_inside {
    use super::*;

    const OWNER: Policy = THREE.owns_retries();
    const FOUR: Policy = THREE.max_attempts(4);

    #[retry(policy = OWNER, idempotent, allow(no_jitter = "exact instants"))]
    async fn stubborn(calls: &Calls) -> Done {
        calls.fail()
    }

    #[retry(policy = FOUR, idempotent, allow(no_jitter = "exact instants"))]
    async fn around(calls: &Calls) -> Outer {
        between(calls).await
    }

    /// Hands its errors up, and counts all the same.
    #[retry(policy = THREE, idempotent, allow(no_jitter = "exact instants"))]
    async fn between(calls: &Calls) -> Done {
        match stubborn(calls).await {
            Ok(value) => Ok(value),
            Err(_) => Err(Failure::Status(503)),
        }
    }

    #[retry(policy = FOUR, idempotent, allow(no_jitter = "exact instants", spawn_in_body = "awaited"))]
    async fn in_two_tasks(outer: &Calls) -> Outer {
        let (one, two) = (outer.clone(), outer.clone());
        let one = spawn(async move { between(&one).await }.in_scope());
        let two = spawn(async move { between(&two).await }.in_scope());
        let _ = one.await.unwrap();
        two.await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn the_attempt_limit_of_the_outermost_call_bounds_the_product() {
        let calls = Calls::default();
        let error = around(&calls).await.unwrap_err();
        // Not 4 x 3: two retries inside, one outside, and then the four attempts are spent.
        assert_eq!(calls.count(), 4);
        assert_eq!((error.reason(), error.attempts()), (Reason::AttemptLimit, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn tasks_side_by_side_spend_from_the_same_limit() {
        let calls = Calls::default();
        let error = in_two_tasks(&calls).await.unwrap_err();
        // Two first attempts and the three retries of the request, wherever they were made.
        assert_eq!((calls.count(), error.reason()), (5, Reason::AttemptLimit));
    }

    #[tokio::test(start_paused = true)]
    async fn alone_it_retries_like_any_other() {
        let calls = Calls::default();
        assert_eq!(stubborn(&calls).await.unwrap_err().attempts(), 3);
        assert_eq!(calls.count(), 3);
    }
}
