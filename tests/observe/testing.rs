//! The helpers for tests, tested.

use kit::E;
use retry_runtime::testing::{Check, Script, check, seeded};
use retry_runtime::{Downstream, Error, Jitter, Outcome, Policy, Reason, Trace, record, retry};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const SPREAD: Policy = Policy::exponential(millis(100), Duration::from_secs(1))
    .max_attempts(4)
    .attempt_timeout(millis(500))
    .deadline(Duration::from_secs(20));

const EVEN: Policy = SPREAD.jitter(Jitter::None);

#[retry(policy = SPREAD, idempotent)]
async fn spread(server: &Script<u32, E>) -> Result<u32, Error<E>> {
    server.answer().await
}

#[retry(policy = EVEN, downstream = leaf, idempotent, allow(no_jitter = "exact instants"))]
async fn even(leaf: &Downstream, server: &Script<u32, E>) -> Result<u32, Error<E>> {
    server.answer().await
}

#[retry(policy = SPREAD, idempotent)]
async fn outer(server: &Script<u32, E>) -> Result<u32, Error<E>> {
    spread(server).await.map_err(|_| E(502))
}

fn failing() -> Script<u32, E> {
    Script::new([]).then(Err(E(503)))
}

#[tokio::test(start_paused = true)]
async fn a_seed_fixes_every_draw_and_only_inside() {
    let delays = async |seed| {
        let server = failing();
        seeded(seed, spread(&server)).await.unwrap_err();
        server.calls()
    };
    assert_eq!(delays(1).await, delays(1).await);
    assert_ne!(delays(1).await, delays(2).await);
    let (one, two) = (failing(), failing());
    seeded(1, async {}).await;
    spread(&one).await.unwrap_err();
    seeded(1, async {}).await;
    spread(&two).await.unwrap_err();
    assert_ne!(one.calls(), two.calls(), "what is outside draws as ever");
}

#[tokio::test(start_paused = true)]
async fn two_that_run_side_by_side_have_each_their_own_seed() {
    let (one, two) = (failing(), failing());
    let _ = tokio::join!(seeded(1, spread(&one)), seeded(2, spread(&two)));
    let alone = failing();
    seeded(1, spread(&alone)).await.unwrap_err();
    assert_eq!(one.calls(), alone.calls());
    assert_ne!(two.calls(), alone.calls());
}

#[tokio::test(start_paused = true)]
async fn a_script_that_is_used_up_hangs_and_one_with_a_rest_goes_on() {
    let server = Script::new([Ok(1)]).then(Ok(2)).after(millis(5));
    for expected in [1, 2, 2] {
        assert_eq!(server.answer().await, Ok::<_, E>(expected));
    }
    assert_eq!((server.count(), server.elapsed()), (3, millis(15)));
    let (_, trace) = record(even(&Downstream::new("leaf"), &Script::new([]))).await;
    check(&trace).gave_up(Reason::AttemptLimit).outcome(Outcome::Unknown).attempts(4);
}

async fn recorded() -> Trace {
    let server = Script::new([Err(E(503)), Err(E(503)), Ok(1)]).after(millis(10));
    record(even(&Downstream::new("leaf"), &server)).await.1
}

#[tokio::test(start_paused = true)]
async fn what_holds_is_checked_in_a_row() {
    let trace = recorded().await;
    check(&trace)
        .succeeded()
        .attempts(3)
        .waits([millis(100), millis(200)])
        .waits_at_most(millis(300))
        .within(millis(330));
    let (_, trace) = record(outer(&failing())).await;
    check(&trace).attempts(4).gave_up(Reason::AttemptLimit);
    check(&trace).call("spread").attempts(1).gave_up(Reason::NotOwner);
}

/// What a check that does not hold says first.
fn sentence<'t>(checking: impl FnOnce() -> Check<'t>) -> String {
    let panic = catch_unwind(AssertUnwindSafe(checking)).expect_err("it holds");
    let text = panic.downcast_ref::<String>().expect("a text");
    assert!(text.contains("│█"), "the timeline is shown: {text}");
    text.lines().next().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn what_does_not_hold_is_said_above_the_timeline() {
    let trace = recorded().await;
    let check = || check(&trace);
    let said = [
        sentence(|| check().attempts(2)),
        sentence(|| check().waits([millis(100)])),
        sentence(|| check().waits_at_most(millis(299))),
        sentence(|| check().within(millis(329))),
        sentence(|| check().gave_up(Reason::Deadline)),
        sentence(|| check().outcome(Outcome::Unknown)),
        sentence(|| check().call("odd")),
    ];
    assert_eq!(
        said,
        [
            "the number of attempts should be 2, and is 3",
            "the delays should be [100ms], and is [100ms, 200ms]",
            "the delays add up to 300ms, which is more than 299ms",
            "the call took 330ms, not 329ms",
            "the call should have given up, and ended as Some(Succeeded)",
            "the call should have given up, and ended as Some(Succeeded)",
            "there is no call of `odd`",
        ]
    );
    let (_, trace) = record(outer(&failing())).await;
    let check = || retry_runtime::testing::check(&trace);
    assert_eq!(
        sentence(|| check().gave_up(Reason::Deadline)),
        "the reason should be Deadline, and is AttemptLimit"
    );
    assert!(sentence(|| check().succeeded()).starts_with("the call should have succeeded"));
}
