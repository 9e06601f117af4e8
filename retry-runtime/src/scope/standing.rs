//! Where a call stands in its request: all that a scope has in every call.

use super::current::{current_key, with_current};
use super::retries::Retries;
use crate::call::Limits;
use crate::environment::random;
use crate::key::IdempotencyKey;
use crate::observe::{Recorder, Watch};
use crate::time::{Span, Time};
use std::num::NonZeroU32;
use std::sync::Arc;
use tokio::time::Instant;

/// The part of a scope that every call has, and holds while it waits; so it is kept small.
///
/// What few calls have is in force beside it, for as long as it is: the idempotency key, and the date
/// of a deadline that was read from a file.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Standing {
    /// Zero until somebody asks; see [`Scope::root_id`](super::Scope::root_id).
    pub(super) root: u64,
    pub(super) deadline: Time,
    /// When the attempt that runs is cut, if that is earlier.
    pub(super) cut: Time,
    pub(super) attempt: u32,
    /// In which attempt of the request this call began, counted from 0.
    pub(super) repeats: u32,
    pub(super) retries: Retries,
    /// The limit of the retries is that of an enclosing call or request.
    pub(super) inherits: bool,
    /// The request was put back, so that there were attempts before of which nothing is known.
    pub(super) resumed: bool,
    /// Some enclosing call retries, so calls inside must not.
    pub(super) owned: bool,
    /// An earlier attempt of the request may have been applied.
    pub(super) doubtful: bool,
    /// A write inside the attempt was applied, or may have been.
    pub(super) wrote: bool,
    /// The key in force is one of this call, not of one around it.
    pub(super) keyed: bool,
    /// Nothing is in force, for work that is to find nothing.
    pub(super) absent: bool,
    pub(super) watch: Watch,
}

impl Standing {
    /// That of a new request: no deadline, nobody who retries.
    pub(super) const NEW: Self = Self {
        root: 0,
        deadline: Time::NEVER,
        cut: Time::NEVER,
        attempt: 0,
        repeats: 0,
        retries: Retries::UNLIMITED,
        inherits: false,
        resumed: false,
        owned: false,
        doubtful: false,
        wrote: false,
        keyed: false,
        absent: false,
        watch: Watch::NONE,
    };

    /// In its place there is nothing.
    pub(super) const ABSENT: Self = Self { absent: true, ..Self::NEW };

    /// Gives up what it shares with others.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        if self.retries.are_shared() || self.watch.is_there() {
            *self = Self::NEW;
        }
    }

    /// That of a call in no scope that began then. It owns the retries, if it makes any.
    #[inline]
    pub(crate) fn first(began: Time, limits: &Limits) -> Self {
        Self {
            deadline: began.plus(limits.call),
            retries: Retries::of(limits.attempts),
            owned: limits.attempts.is_some(),
            ..Self::NEW
        }
    }

    /// The same in its first attempt.
    #[inline]
    pub(crate) fn in_first_attempt(began: Time, limits: &Limits) -> Self {
        Self { attempt: 1, cut: began.plus(limits.attempt), ..Self::first(began, limits) }
    }

    /// That of a call which begins in the scope that is in force, if there is one.
    pub(crate) fn inside(began: Time, limit: Span) -> Option<Self> {
        let outer = with_current(|outer| {
            outer.identify();
            outer.clone()
        })?;
        Some(Self {
            repeats: outer.request_attempt() - 1,
            attempt: 0,
            inherits: outer.retries.are_limited(),
            wrote: false,
            keyed: false,
            deadline: outer.deadline.min(began.plus(limit)),
            ..outer
        })
    }

    /// The request ends by this instant.
    pub(super) fn end_at(&mut self, deadline: Instant) {
        self.deadline = Time::of(deadline);
    }

    /// The call ends by this instant at the latest.
    pub(crate) fn limit_by(&mut self, deadline: Instant) {
        self.deadline = self.deadline.min(Time::of(deadline));
    }

    /// When the call ends.
    #[inline]
    pub(crate) fn deadline(&self) -> Time {
        self.deadline
    }

    /// When what runs is cut: by its timeout, or by the deadline.
    #[inline]
    pub(crate) fn cut(&self) -> Time {
        self.deadline.min(self.cut)
    }

    /// Attempts of the call that were started so far.
    #[inline]
    pub(crate) fn attempt(&self) -> u32 {
        self.attempt
    }

    /// One attempt more starts.
    #[inline]
    pub(crate) fn count_attempt(&mut self) {
        self.attempt += 1;
        self.wrote = false;
    }

    /// What runs is cut then.
    #[inline]
    pub(crate) fn cut_at(&mut self, cut: Time) {
        self.cut = cut;
    }

    pub(super) fn request_attempt(&self) -> u32 {
        self.repeats.saturating_add(self.attempt.max(1))
    }

    /// How many attempts of the request were started, the one that runs included.
    #[cfg(feature = "serde")]
    pub(super) fn attempts_spent(&self) -> u32 {
        self.retries.spent().saturating_add(u32::from(self.attempt > 0))
    }

    /// So many attempts of the request were started before this one.
    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn set_attempts_spent(&mut self, attempts: u32) {
        self.repeats = attempts;
        self.doubtful = attempts > 0;
        self.retries.set_spent(attempts);
    }

    #[inline]
    pub(crate) fn is_repeated(&self) -> bool {
        self.repeats > 0
    }

    /// The attempt may have been applied, and what follows it in the request has to know.
    pub(crate) fn doubt(&mut self) {
        self.doubtful = true;
    }

    pub(crate) fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// A write inside was applied, or may have been: whatever else fails, the attempt had an effect.
    pub(super) fn note_write(&mut self) {
        self.wrote = true;
    }

    pub(crate) fn has_written(&self) -> bool {
        self.wrote
    }

    /// Whether attempts went before of which nobody knows how they ended.
    pub(crate) fn is_resumed(&self) -> bool {
        self.resumed
    }

    pub(crate) fn has_owner(&self) -> bool {
        self.owned
    }

    /// The call retries: calls inside it do not, and what it may spend bounds them, too.
    pub(crate) fn own(&mut self, max_attempts: NonZeroU32) {
        self.owned = true;
        self.retries.limit_once(max_attempts.get());
    }

    /// The call has a key of its own.
    pub(crate) fn has_key(&mut self) {
        self.keyed = true;
    }

    /// Whether the request may be attempted at all; a job that was put back may have no attempt left.
    pub(crate) fn has_attempts_left(&self) -> bool {
        self.retries.has_attempts_left()
    }

    /// How many retries the request may still make.
    #[inline]
    pub(crate) fn retries_left(&mut self) -> u32 {
        self.join_outer();
        self.retries.left()
    }

    /// A retry starts, if there is one left.
    #[inline]
    pub(crate) fn spend_retry(&mut self) -> bool {
        self.join_outer();
        let left = self.retries.spend();
        self.join_outer();
        left
    }

    /// What this call and the one around it have spent of the same limit, both of them know.
    #[inline]
    pub(super) fn join_outer(&mut self) {
        if self.inherits {
            self.join_current();
        }
    }

    fn join_current(&mut self) {
        with_current(|outer| {
            if self.root == outer.root {
                self.retries.join(&mut outer.retries);
            }
        });
    }

    pub(crate) fn root_id(&self) -> u64 {
        self.root
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// What the calls in here do is recorded.
    pub(super) fn record(&mut self, recorder: Arc<Recorder>) {
        self.absent = false;
        self.identify();
        self.watch.record(recorder);
    }

    /// An observed call begins, whose attempts stand here. Gives the one around it.
    pub(crate) fn begin_observed(&mut self, key: Option<&IdempotencyKey>) -> Option<u64> {
        self.identify();
        self.watch.begin_call(key.cloned().or_else(current_key))
    }

    /// Draws the root id when it is first needed: a call that succeeds alone never pays for it.
    pub(crate) fn identify(&mut self) {
        while self.root == 0 {
            self.root = random();
        }
    }
}
