//! Every step of a call is an event, in order.

use crate::kept::Kept;
use kit::{E, together};
use retry_runtime::{
    AdaptiveTimeout, Breaker, Budget, Classify, ConcurrencyLimit, Downstream, Error, Jitter,
    Policy, RateLimit, Reconciled, retry,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::sleep;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Three attempts, a tenth of a second apart.
const THREE: Policy = Policy::fixed(millis(100))
    .jitter(Jitter::None)
    .max_attempts(3)
    .attempt_timeout(millis(50))
    .deadline(Duration::from_secs(10));

#[derive(Clone, Debug, PartialEq, thiserror::Error, Classify)]
#[error("{0}")]
#[classify(transient, when = *_0 >= 500)]
#[classify(permanent, refused)]
struct Status(u16);

/// What the attempts of a call give, one after the other.
type Script = RefCell<VecDeque<Result<u32, Status>>>;

fn script<const N: usize>(answers: [Result<u32, Status>; N]) -> Script {
    RefCell::new(answers.into())
}

#[retry(policy = THREE, idempotent, downstream = leaf, allow(no_jitter = "exact instants"))]
async fn get(leaf: &Downstream, script: &Script) -> Result<u32, Error<Status>> {
    let answer = script.borrow_mut().pop_front();
    sleep(millis(10)).await;
    answer.unwrap()
}

#[tokio::test(start_paused = true)]
async fn o_b14_a_failed_attempt_and_a_success_are_told_in_order() {
    let kept = Kept::new();
    let answers = script([Err(Status(503)), Ok(1)]);
    assert_eq!(get(&kept.downstream(), &answers).await, Ok(1));
    assert_eq!(
        kept.take(),
        [
            "get starts",
            "start(1) for 50ms by Policy",
            "end(1) after 10ms: failed: Status(503)",
            "retry in 100ms of 100ms by Backoff",
            "waited 100ms",
            "start(2) for 50ms by Policy",
            "end(2) after 10ms: succeeded",
            "over after 120ms and 2: succeeded",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn o_b14_giving_up_names_the_reason_and_the_last_error() {
    let kept = Kept::new();
    let answers = script([Err(Status(503)), Err(Status(500)), Err(Status(502))]);
    get(&kept.downstream(), &answers).await.unwrap_err();
    assert_eq!(
        kept.take()[9..],
        [
            "start(3) for 50ms by Policy",
            "end(3) after 10ms: failed: Status(502)",
            "stop: attempt_limit",
            "over after 230ms and 3: gave up: attempt_limit, Unknown, Some(Status(502))",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn o_b11_the_key_is_on_every_event_or_its_hash() {
    #[retry(
        policy = THREE,
        idempotency_key = key,
        downstream = leaf,
        allow(no_jitter = "exact instants"),
    )]
    async fn put(leaf: &Downstream, key: &str, script: &Script) -> Result<u32, Error<Status>> {
        let _ = key;
        script.borrow_mut().pop_front().unwrap()
    }
    for hashed in [false, true] {
        let kept = Kept::new();
        let leaf = if hashed { kept.downstream().hashed_keys() } else { kept.downstream() };
        let one = script([Err(Status(503)), Ok(1)]);
        let two = script([Err(Status(503)), Err(Status(404))]);
        let calls = [put(&leaf, "foobar", &one), put(&leaf, "a", &two)];
        assert_eq!(together(calls).await.iter().filter(|call| call.is_ok()).count(), 1);
        let lines = kept.lines();
        let (first, second) = (lines[0].call, lines.last().unwrap().call);
        for line in lines {
            let expected = match (line.call, hashed) {
                (call, false) if call == first => "foobar",
                (call, true) if call == first => "#85944171f73967e8",
                (call, false) if call == second => "a",
                (call, true) if call == second => "#af63dc4c8601ec8c",
                (call, _) => panic!("a third call, {call}"),
            };
            assert_eq!(line.key.as_deref(), Some(expected), "{}", line.text);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cut_says_by_what() {
    #[retry(policy = policy, idempotent, downstream = leaf, allow(no_jitter = "exact instants"))]
    async fn hang(leaf: &Downstream) -> Result<u32, Error<Status>> {
        std::future::pending().await
    }
    #[expect(non_upper_case_globals, reason = "it reads as a parameter")]
    const policy: Policy = THREE.deadline(millis(190)).cut_by_deadline();
    let kept = Kept::new();
    hang(&kept.downstream()).await.unwrap_err();
    assert_eq!(
        kept.take(),
        [
            "hang starts",
            "start(1) for 50ms by Policy",
            "end(1) after 50ms: timed out by Policy",
            "retry in 100ms of 100ms by Backoff",
            "waited 100ms",
            "start(2) for 40ms by Call",
            "end(2) after 40ms: timed out by Call",
            "stop: deadline",
            "over after 190ms and 2: gave up: deadline, Unknown, None",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_is_told_of_and_is_no_attempt() {
    #[retry(
        policy = THREE,
        idempotency_key = "k",
        reconcile = |_key| find(answers),
        downstream = leaf,
        allow(no_jitter = "exact instants", key_unused = "it is a test"),
    )]
    async fn charge(
        leaf: &Downstream,
        charges: &Script,
        answers: &Script,
    ) -> Result<u32, Error<Status>> {
        charges.borrow_mut().pop_front().unwrap()
    }
    async fn find(answers: &Script) -> Result<Reconciled<u32>, Status> {
        let answer = answers.borrow_mut().pop_front().unwrap()?;
        Ok(if answer == 0 { Reconciled::NotApplied } else { Reconciled::Applied(answer) })
    }
    let kept = Kept::new();
    let charges = script([Err(Status(503)), Err(Status(503))]);
    let answers = script([Ok(0), Ok(7)]);
    assert_eq!(charge(&kept.downstream(), &charges, &answers).await, Ok(7));
    let told = kept.take();
    assert_eq!(
        told[2..6],
        [
            "end(1) after 0ns: failed: Status(503)",
            "asks",
            "answer: Some(NotApplied)",
            "retry in 100ms of 100ms by Backoff",
        ]
    );
    assert_eq!(
        told[8..],
        [
            "end(2) after 0ns: failed: Status(503)",
            "asks",
            "answer: Some(Applied)",
            "over after 100ms and 2: succeeded",
        ]
    );
    let (charges, answers) = (script([Err(Status(503))]), script([Err(Status(404))]));
    charge(&kept.downstream(), &charges, &answers).await.unwrap_err();
    assert_eq!(
        kept.take()[3..],
        [
            "asks",
            "answer: None",
            "stop: unknown_outcome",
            "over after 0ns and 1: gave up: unknown_outcome, Unknown, Some(Status(503))",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_refused_before_it_is_sent_says_why() {
    const ONCE: Policy = Policy::once().deadline(Duration::from_secs(1));
    #[retry(policy = ONCE, idempotency_key = key, downstream = leaf)]
    async fn put(leaf: &Downstream, key: &str) -> Result<u32, Error<Status>> {
        let _ = key;
        sleep(millis(10)).await;
        Ok(1)
    }
    let kept = Kept::new();
    put(&kept.downstream(), "").await.unwrap_err();
    let gave_up = "over after 0ns and 0: gave up: invalid_key, NotApplied, None";
    assert_eq!(kept.take(), ["put starts", "refused: invalid_key", gave_up]);

    let one = kept.downstream().rate_limit(RateLimit::per_second(1));
    put(&one, "k").await.unwrap();
    put(&one, "k").await.unwrap_err();
    let gave_up = "over after 0ns and 0: gave up: rate_limited, NotApplied, None";
    assert_eq!(kept.take()[4..], ["put starts", "refused: rate_limited", gave_up]);

    let narrow = kept.downstream().concurrency_limit(ConcurrencyLimit::new(1).waiting());
    together([put(&narrow, "k"), put(&narrow, "k")]).await;
    let lines = kept.lines();
    let second = lines.iter().filter(|line| line.call != lines[0].call);
    let second: Vec<_> = second.map(|line| line.text.as_str()).collect();
    assert_eq!(
        second,
        [
            "put starts",
            "queued",
            "start(1) for 990ms by Policy",
            "end(1) after 10ms: succeeded",
            "over after 20ms and 1: succeeded",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn breakers_and_budgets_speak_through_the_call_that_moves_them() {
    let kept = Kept::new();
    let breaker = Breaker::consecutive(2)
        .open_for(Duration::from_secs(1))
        .open_jitter(0.0)
        .recover_over(Duration::from_secs(1));
    let leaf = kept.downstream().breaker(breaker);
    get(&leaf, &script([Err(Status(503)), Err(Status(503))])).await.unwrap_err();
    assert_eq!(
        kept.take()[6..],
        [
            "end(2) after 10ms: failed: Status(503)",
            "breaker of leaf: closed to open",
            "stop: circuit_open",
            "over after 120ms and 2: gave up: circuit_open, Unknown, Some(Status(503))",
        ]
    );
    sleep(Duration::from_secs(1)).await;
    get(&leaf, &script([Ok(1)])).await.unwrap();
    let told = kept.take();
    assert_eq!(told[1], "breaker of leaf: open to half-open");
    assert_eq!(told[4], "breaker of leaf: half-open to recovering");
    sleep(Duration::from_secs(1)).await;
    get(&leaf, &script([Ok(1)])).await.unwrap();
    assert_eq!(kept.take()[1], "breaker of leaf: recovering to closed");

    let poor = kept.downstream().budget(Budget::ratio(0.5));
    get(&poor, &script([Err(Status(503))])).await.unwrap_err();
    assert_eq!(kept.take()[3..5], ["stop: budget_exhausted", "budget of leaf holds 0.5"]);
}

#[tokio::test(start_paused = true)]
async fn what_a_parent_does_is_told_under_its_own_name() {
    let network: &'static Downstream = Box::leak(Box::new(
        Downstream::new("network").budget(Budget::ratio(0.5)).breaker(Breaker::consecutive(1)),
    ));
    let kept = Kept::new();
    let leaf = kept.downstream().parent(network);
    get(&leaf, &script([Err(Status(503))])).await.unwrap_err();
    assert_eq!(kept.take()[3..5], ["breaker of network: closed to open", "stop: circuit_open"]);
    let network: &'static Downstream =
        Box::leak(Box::new(Downstream::new("network").budget(Budget::ratio(0.5))));
    let leaf = kept.downstream().parent(network);
    get(&leaf, &script([Err(Status(503))])).await.unwrap_err();
    assert_eq!(kept.take()[3..5], ["stop: budget_exhausted", "budget of network holds 0.5"]);
}

#[tokio::test(start_paused = true)]
async fn an_adapted_timeout_is_told_of_when_it_changes() {
    const SEARCH: Policy = Policy::fixed(millis(100))
        .attempt_timeout(millis(200))
        .adaptive_timeout(AdaptiveTimeout::DEFAULT.minimum_samples(2))
        .deadline(Duration::from_secs(10));
    #[retry(policy = SEARCH, idempotent, downstream = leaf)]
    async fn search(leaf: &Downstream, takes: Duration) -> Result<u32, Error<Status>> {
        sleep(takes).await;
        Ok(1)
    }
    let kept = Kept::new();
    let leaf = kept.downstream();
    for takes in [10, 10, 10, 10, 60] {
        search(&leaf, millis(takes)).await.unwrap();
    }
    let told = kept.take();
    let adapted = told.iter().filter(|line| line.starts_with("timeout:"));
    // The last is cut once, and one in five is more than one in twenty.
    assert_eq!(
        adapted.collect::<Vec<_>>(),
        ["timeout: ever to 20.48ms", "timeout: 20.48ms to ever"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_is_told_of_inside_out() {
    #[retry(policy = THREE, idempotent, downstream = leaf, allow(no_jitter = "exact instants"))]
    async fn outer(leaf: &Downstream, script: &Script) -> Result<u32, Error<Error<Status>>> {
        get(leaf, script).await
    }
    let kept = Kept::new();
    let leaf = kept.downstream();
    let answers = script([Ok(1)]);
    let cut = tokio::time::timeout(millis(4), outer(&leaf, &answers)).await;
    assert!(cut.is_err());
    let lines = kept.lines();
    assert!(lines.iter().all(|line| line.root == lines[0].root && line.root != 0));
    assert_eq!(
        kept.take(),
        [
            "outer starts",
            "start(1) for 50ms by Policy",
            "get starts",
            "start(1) for 50ms by Policy",
            "end(1) after 4ms: dropped",
            "over after 4ms and 1: dropped",
            "end(1) after 4ms: dropped",
            "over after 4ms and 1: dropped",
        ]
    );
    let answers = script([Err(Status(503)), Ok(1)]);
    let cut = tokio::time::timeout(millis(50), get(&leaf, &answers)).await;
    assert!(cut.is_err());
    let told = kept.take();
    assert_eq!(told[3..], ["retry in 100ms of 100ms by Backoff", "over after 50ms and 1: dropped"]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_told_of_and_opens_the_breaker() {
    #[retry(policy = THREE, idempotent, downstream = leaf, allow(no_jitter = "exact instants"))]
    async fn broken(leaf: &Downstream) -> Result<u32, Error<E>> {
        panic!("no bank")
    }
    let kept = Kept::new();
    let leaf = kept.downstream().breaker(Breaker::consecutive(1));
    let call = tokio::spawn(async move { broken(&leaf).await });
    assert!(call.await.unwrap_err().is_panic());
    assert_eq!(
        kept.take()[2..],
        [
            "end(1) after 0ns: panicked",
            "breaker of leaf: closed to open",
            "over after 0ns and 1: panicked",
        ]
    );
}
