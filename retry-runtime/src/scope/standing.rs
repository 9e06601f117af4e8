//! Where a call stands in its request: all that a scope has in every call.

use super::current::{current_key, with_current};
use super::extra::Extra;
use super::facts::{Fact, Facts};
use super::retries::Retries;
use crate::call::Limits;
use crate::environment::random;
use crate::key::IdempotencyKey;
use crate::observe::Recorder;
use crate::time::{Span, Time};
use std::num::NonZeroU32;
use std::sync::Arc;
use tokio::time::Instant;

/// The part of a scope that every call has, and holds while it waits; so it is kept small.
///
/// What few calls have is in force beside it, for as long as it is: the idempotency key, and the date
/// of a deadline that was read from a file.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(super) at: Position,
    /// Zero until somebody asks; see [`Scope::root_id`](super::Scope::root_id).
    pub(super) root: u64,
    pub(super) extra: Option<Arc<Extra>>,
}

/// Where a call stands, in words that can be copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) deadline: Time,
    /// When the attempt that runs is cut, if that is earlier.
    pub(super) cut: Time,
    pub(super) attempt: u32,
    pub(super) retries: Retries,
    pub(super) facts: Facts,
}

impl Position {
    /// That of a new request: no deadline, nobody who retries.
    const NEW: Self = Self {
        deadline: Time::NEVER,
        cut: Time::NEVER,
        attempt: 0,
        retries: Retries::UNLIMITED,
        facts: Facts::NONE,
    };

    #[inline]
    fn first(began: Time, limits: &Limits) -> Self {
        Self {
            deadline: began.plus(limits.call),
            retries: Retries::of(limits.attempts),
            facts: Facts::NONE.with(Fact::Owned, limits.attempts.is_some()),
            ..Self::NEW
        }
    }

    fn request_attempt(self) -> u32 {
        self.facts.repeats().saturating_add(self.attempt.max(1))
    }

    #[inline]
    pub(super) const fn standing(self) -> Standing {
        Standing { at: self, root: 0, extra: None }
    }
}

impl Standing {
    /// That of a new request.
    pub(super) const NEW: Self = Position::NEW.standing();

    /// In its place there is nothing.
    pub(super) const ABSENT: Self =
        Position { facts: Facts::NONE.with(Fact::Absent, true), ..Position::NEW }.standing();

    /// Gives up what it shares with others.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        self.extra = None;
    }

    /// That of a call in no scope that began then. It owns the retries, if it makes any.
    #[inline]
    pub(crate) fn first(began: Time, limits: &Limits) -> Self {
        Position::first(began, limits).standing()
    }

    /// The same in its first attempt.
    #[inline]
    pub(crate) fn in_first_attempt(began: Time, limits: &Limits) -> Self {
        let cut = began.plus(limits.attempt);
        Position { attempt: 1, cut, ..Position::first(began, limits) }.standing()
    }

    /// Where it stands, if that is all: nobody has asked for the scope of a call that is in none.
    #[inline]
    pub(super) fn alone(&self) -> Option<Position> {
        let is_all =
            self.root == 0 && self.extra.is_none() && self.at.facts.are_those_of_a_call_alone();
        is_all.then_some(self.at)
    }

    /// That of a call which begins in the scope that is in force, if there is one.
    pub(crate) fn inside(began: Time, limit: Span) -> Option<Self> {
        let mut inner = with_current(|outer| {
            outer.identify();
            outer.clone()
        })?;
        let outer = inner.at;
        let mut facts = outer.facts.with(Fact::Wrote, false).with(Fact::Keyed, false);
        facts.set(Fact::Inherits, outer.retries.are_limited());
        facts.set_repeats(outer.request_attempt() - 1);
        let deadline = outer.deadline.min(began.plus(limit));
        inner.at = Position { attempt: 0, deadline, facts, ..outer };
        Some(inner)
    }

    /// The request ends by this instant.
    pub(super) fn end_at(&mut self, deadline: Instant) {
        self.at.deadline = Time::of(deadline);
    }

    /// The call ends by this instant at the latest.
    pub(crate) fn limit_by(&mut self, deadline: Instant) {
        self.at.deadline = self.at.deadline.min(Time::of(deadline));
    }

    /// When the call ends.
    #[inline]
    pub(crate) fn deadline(&self) -> Time {
        self.at.deadline
    }

    /// When what runs is cut: by its timeout, or by the deadline.
    #[inline]
    pub(crate) fn cut(&self) -> Time {
        self.at.deadline.min(self.at.cut)
    }

    /// Attempts of the call that were started so far.
    #[inline]
    pub(crate) fn attempt(&self) -> u32 {
        self.at.attempt
    }

    /// One attempt more starts.
    #[inline]
    pub(crate) fn count_attempt(&mut self) {
        self.at.attempt += 1;
        self.at.facts.set(Fact::Wrote, false);
    }

    /// What runs is cut then.
    #[inline]
    pub(crate) fn cut_at(&mut self, cut: Time) {
        self.at.cut = cut;
    }

    pub(super) fn request_attempt(&self) -> u32 {
        self.at.request_attempt()
    }

    /// How many attempts of the request were started, the one that runs included.
    #[cfg(feature = "serde")]
    pub(super) fn attempts_spent(&self) -> u32 {
        self.retries_spent().saturating_add(u32::from(self.at.attempt > 0))
    }

    /// So many attempts of the request were started before this one.
    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn set_attempts_spent(&mut self, attempts: u32) {
        self.at.facts.set_repeats(attempts);
        self.at.facts.set(Fact::Doubtful, attempts > 0);
        self.at.retries.set_spent(attempts);
    }

    #[inline]
    pub(crate) fn is_repeated(&self) -> bool {
        self.at.facts.repeats() > 0
    }

    /// The attempt may have been applied, and what follows it in the request has to know.
    pub(crate) fn doubt(&mut self) {
        self.at.facts.set(Fact::Doubtful, true);
    }

    pub(crate) fn is_doubtful(&self) -> bool {
        self.at.facts.has(Fact::Doubtful)
    }

    /// A write inside was applied, or may have been: whatever else fails, the attempt had an effect.
    pub(super) fn note_write(&mut self) {
        self.at.facts.set(Fact::Wrote, true);
    }

    pub(crate) fn has_written(&self) -> bool {
        self.at.facts.has(Fact::Wrote)
    }

    /// Whether attempts went before of which nobody knows how they ended.
    pub(crate) fn is_resumed(&self) -> bool {
        self.at.facts.has(Fact::Resumed)
    }

    pub(crate) fn has_owner(&self) -> bool {
        self.at.facts.has(Fact::Owned)
    }

    /// The call retries: calls inside it do not, and what it may spend bounds them, too.
    pub(crate) fn own(&mut self, max_attempts: NonZeroU32) {
        self.at.facts.set(Fact::Owned, true);
        self.limit_once(max_attempts.get());
    }

    /// The call has a key of its own.
    pub(crate) fn has_key(&mut self) {
        self.at.facts.set(Fact::Keyed, true);
    }

    /// What this call and the one around it have spent of the same limit, both of them know.
    #[inline]
    pub(super) fn join_outer(&mut self) {
        if self.at.facts.has(Fact::Inherits) {
            self.join_current();
        }
    }

    fn join_current(&mut self) {
        with_current(|outer| {
            if self.root == outer.root {
                self.join(outer);
            }
        });
    }

    /// What the calls in here do is recorded.
    pub(super) fn record(&mut self, recorder: Arc<Recorder>) {
        self.at.facts.set(Fact::Absent, false);
        self.identify();
        self.extra_mut().watch.record(recorder);
    }

    /// An observed call begins, whose attempts stand here. Gives the one around it.
    pub(crate) fn begin_observed(&mut self, key: Option<&IdempotencyKey>) -> Option<u64> {
        self.identify();
        self.extra_mut().watch.begin_call(key.cloned().or_else(current_key))
    }

    pub(crate) fn root_id(&self) -> u64 {
        self.root
    }

    /// Draws the root id when it is first needed: a call that succeeds alone never pays for it.
    pub(crate) fn identify(&mut self) {
        while self.root == 0 {
            self.root = random();
        }
    }
}
