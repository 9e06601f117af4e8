//! What a policy may not say: every rule and its condition.
//!
//! All of it is `const`, because the attribute has the compiler evaluate it. The sentences are in
//! [`super::sentence`].

#![expect(
    clippy::result_large_err,
    reason = "the error is made while compiling, where nothing can be boxed"
)]

use super::text::error_in_words;
use super::waits::Times;
use super::{Allow, Effect, Policy, Rules};
use crate::backoff::Jitter;
use std::time::Duration;

/// Below this an attempt timeout cuts answers that are healthy and merely slow.
const SHORTEST_ATTEMPT_TIMEOUT: u128 = Duration::from_millis(20).as_nanos();

/// A rule that a policy can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    MaxAttemptsZero,
    OnceRepeats,
    DeadlineMissing,
    DeadlineZero,
    BaseZero,
    CapBelowBase,
    Multiplier,
    ImmediateRepeats,
    NoJitter,
    AttemptTimeoutZero,
    ShortAttemptTimeout,
    AttemptTimeoutBeyondDeadline,
    AdaptiveWithoutCeiling,
    AdaptiveFactor,
    AdaptiveFloor,
    UnreachableAttempt,
    WorstCase,
}

/// Why a policy is refused: each mistake in a sentence that names the numbers and what to write.
#[derive(Clone, Copy, PartialEq)]
pub struct PolicyError {
    pub(super) policy: Policy,
    allow: Allow,
    effect: Option<Effect>,
}

impl Policy {
    /// Judges the policy by the rules that the attribute applies to a constant.
    ///
    /// # Errors
    ///
    /// [`PolicyError`], which lists every rule that the policy breaks.
    pub const fn check(&self) -> Result<(), PolicyError> {
        self.check_allowing(Allow::NONE)
    }

    /// The same, but without the rules in `allow`.
    ///
    /// # Errors
    ///
    /// [`PolicyError`], which lists every other rule that the policy breaks.
    pub const fn check_allowing(&self, allow: Allow) -> Result<(), PolicyError> {
        PolicyError { policy: *self, allow, effect: None }.unless_sound()
    }

    pub(crate) const fn has_no_jitter(&self) -> bool {
        matches!(self.backoff.jitter, Jitter::None)
            && !self.backoff.immediate
            && self.max_attempts > 1
    }

    pub(crate) const fn has_short_attempt_timeout(&self) -> bool {
        match self.attempt_timeout {
            Some(timeout) => !timeout.is_zero() && timeout.as_nanos() < SHORTEST_ATTEMPT_TIMEOUT,
            None => false,
        }
    }
}

impl Rules {
    /// Judges the policy for a call with this effect.
    pub(crate) const fn check(&self) -> Result<(), PolicyError> {
        let Self { policy, effect, allow } = *self;
        PolicyError { policy, allow, effect: Some(effect) }.unless_sound()
    }
}

impl PolicyError {
    const fn unless_sound(self) -> Result<(), Self> {
        let rules = self.rules();
        let mut at = 0;
        while at < rules.len() {
            if rules[at].1 {
                return Err(self);
            }
            at += 1;
        }
        Ok(())
    }

    /// Every rule, and whether the policy breaks it, in the order in which they are reported.
    ///
    /// In one piece, because the compiler runs it for every annotated function, and each call of
    /// another function costs it as much as a dozen of these lines.
    pub(super) const fn rules(&self) -> [(Rule, bool); 17] {
        let Self { policy, allow, effect } = self;
        let (max_attempts, immediate) = (policy.max_attempts, policy.backoff.immediate);
        let Times { attempt, deadline, backoff, is_unreachable, worst_case } = policy.times();
        let limits_attempts = attempt < u128::MAX;
        let adapts = policy.adaptive.is_some();
        let (factor, floor) = match policy.adaptive {
            Some(adaptive) => (adaptive.factor, adaptive.floor.as_nanos()),
            None => (1.0, u128::MAX),
        };
        let beyond_deadline = limits_attempts && deadline > 0 && attempt > deadline;
        let is_unreachable = is_unreachable && deadline > 0;
        [
            (Rule::MaxAttemptsZero, max_attempts == 0),
            (Rule::OnceRepeats, matches!(effect, Some(Effect::Once)) && max_attempts > 1),
            (Rule::DeadlineMissing, policy.deadline.is_none()),
            (Rule::DeadlineZero, deadline == 0),
            (Rule::BaseZero, backoff.base_zero),
            (Rule::CapBelowBase, backoff.cap_below_base),
            (Rule::Multiplier, backoff.multiplier),
            (Rule::ImmediateRepeats, immediate && max_attempts > 2),
            (Rule::NoJitter, policy.has_no_jitter() && !allow.no_jitter),
            (Rule::AttemptTimeoutZero, attempt == 0),
            (
                Rule::ShortAttemptTimeout,
                policy.has_short_attempt_timeout() && !allow.short_attempt_timeout,
            ),
            (Rule::AttemptTimeoutBeyondDeadline, beyond_deadline),
            (Rule::AdaptiveWithoutCeiling, adapts && !limits_attempts),
            (Rule::AdaptiveFactor, !is_factor(factor)),
            (Rule::AdaptiveFloor, adapts && (floor < SHORTEST_ATTEMPT_TIMEOUT || floor > attempt)),
            (Rule::UnreachableAttempt, is_unreachable),
            (
                Rule::WorstCase,
                worst_case > deadline
                    && deadline > 0
                    && !policy.cut_by_deadline
                    && !beyond_deadline
                    && !is_unreachable,
            ),
        ]
    }
}

/// A finite number of at least 1; NaN is neither.
pub(super) const fn is_factor(number: f64) -> bool {
    number >= 1.0 && number <= f64::MAX
}

error_in_words!(PolicyError);
