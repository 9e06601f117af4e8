//! What expansions of the attribute call. Not for people to write: it may change in any release.

pub use crate::call::{
    Answer, Attempt, Call, CallError, Classified, Ended, Fallible, Next, Pause, Reconciled, Run,
    Standalone,
};
pub use crate::classify::Hint;
pub use crate::policy::{Allow, Rules};

use crate::classify::Class;
use crate::downstream::{Admitted, Downstream, Outcome, Permit, Verdict};
use crate::environment::Live;
use crate::error::Stopped;
pub use crate::error::StoppedField;
use crate::key::{IdempotencyKey, ToIdempotencyKey};
use crate::policy::Policy;
use crate::time::Now;
use std::fmt::Debug;
use tokio::time::Instant;

/// Refuses to compile a policy that is unsafe for a call with this effect.
///
/// The panic is a compile error, because expansions evaluate this in a static.
#[track_caller]
pub const fn verify(rules: Rules) -> Rules {
    if let Err(error) = rules.check() {
        panic!("{}", error.text().as_str());
    }
    rules
}

/// The rules of a call that may be repeated, judged by [`verify`].
#[track_caller]
pub const fn idempotent(policy: Policy) -> Rules {
    verify(Rules::idempotent(policy))
}

/// Those of a write that carries a key.
#[track_caller]
pub const fn keyed(policy: Policy) -> Rules {
    verify(Rules::keyed(policy))
}

/// Those of a write that is sent once.
#[track_caller]
pub const fn once(policy: Policy) -> Rules {
    verify(Rules::once(policy))
}

/// Refuses to compile an `allow(no_jitter)` for a policy that has jitter.
#[track_caller]
pub const fn needs_no_jitter(policy: Policy) {
    assert!(
        policy.has_no_jitter(),
        "`allow(no_jitter)` changes nothing, because nothing here breaks that rule: remove it"
    );
}

/// Refuses to compile an `allow(short_attempt_timeout)` for a policy whose attempts are long enough.
#[track_caller]
pub const fn needs_short_attempt_timeout(policy: Policy) {
    assert!(
        policy.has_short_attempt_timeout(),
        "`allow(short_attempt_timeout)` changes nothing, because nothing here breaks that rule: \
         remove it"
    );
}

/// Tells the compiler what the body of a function that returns `R` yields; it never runs.
#[must_use]
pub fn attempt_type<R: Fallible>() -> R::Attempt {
    unreachable!("it stands behind `if false`")
}

/// Judges the end of an attempt of a function that returns `R` by the class of the error.
#[expect(
    clippy::inline_always,
    reason = "a result handed through a function costs more than the rest"
)]
#[inline(always)]
pub fn decide<R: Classified>(run: &mut Run<'_, R::Last>, ended: Ended<R::Attempt>) -> Next<R> {
    run.decide(ended, R::classify)
}

/// Judges it by a function of the user's.
#[inline]
pub fn decide_by<R: Fallible>(
    run: &mut Run<'_, R::Last>,
    ended: Ended<R::Attempt>,
    classify: impl FnOnce(&R::Last) -> Class,
) -> Next<R>
where
    R::Last: Debug,
{
    run.decide(ended, classify)
}

/// Judges it like [`decide`], and asks first if the attempt may have been applied.
pub async fn decide_after<R: Classified>(
    run: &mut Run<'_, R::Last>,
    ended: Ended<R::Attempt>,
    question: impl Future<Output = Option<Reconciled<R::Value>>>,
) -> Next<R> {
    run.decide_after(ended, R::classify, question).await
}

/// Judges it like [`decide_by`], and asks first if the attempt may have been applied.
pub async fn decide_after_by<R: Fallible>(
    run: &mut Run<'_, R::Last>,
    ended: Ended<R::Attempt>,
    question: impl Future<Output = Option<Reconciled<R::Value>>>,
    classify: impl FnOnce(&R::Last) -> Class,
) -> Next<R>
where
    R::Last: Debug,
{
    run.decide_after(ended, classify, question).await
}

/// What the function behind `reconcile` says; an error of it says nothing.
pub fn answer<R: Fallible>(answer: impl Answer<R::Value, R::Last>) -> Option<Reconciled<R::Value>> {
    answer.answer()
}

/// The key of a call, made once; one that is refused is seen when the call begins.
pub fn key<K: ToIdempotencyKey + ?Sized>(key: &K) -> IdempotencyKey {
    key.to_idempotency_key().unwrap_or(IdempotencyKey::ABSENT)
}

/// The result of a function whose attribute has mistakes; it never runs.
pub fn only<R: Fallible>(attempt: R::Attempt) -> R {
    match R::result(attempt) {
        Ok(value) => R::succeed(value),
        Err(last) => R::give_up(Stopped::NEVER, Some(last)),
    }
}

/// A by-value parameter as it was passed, for one attempt.
pub fn fresh<T: Clone>(parameter: &T) -> T {
    parameter.clone()
}

/// A class with the wait that a field of the error holds.
pub fn hinted(class: Class, wait: &impl Hint) -> Class {
    wait.hint().map_or(class, |wait| class.retry_after(wait))
}

/// What the success path asks of a downstream, and tells it, and nothing else: for benchmarks.
pub fn admit_and_succeed(downstream: &Downstream, now: Instant) -> bool {
    let mut admitted = Admitted::NOTHING;
    let is_quiet = downstream.admit_quietly(&mut admitted) && downstream.is_at_rest(now);
    is_quiet || admit_and_succeed_aloud(downstream, Now::of(now))
}

fn admit_and_succeed_aloud(downstream: &Downstream, now: Now) -> bool {
    let mut permit = Permit::none(downstream);
    if !permit.ask_quietly() && permit.ask(now, &Live, None).is_err() {
        return false;
    }
    permit.report(Verdict::Success, || now, &Live, None);
    permit.settle(true, Outcome::Success, || now.instant());
    true
}
