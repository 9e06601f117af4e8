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
const SHORTEST_ATTEMPT_TIMEOUT: Duration = Duration::from_millis(20);

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

/// In the order in which they are reported.
pub(super) const RULES: [Rule; 17] = [
    Rule::MaxAttemptsZero,
    Rule::OnceRepeats,
    Rule::DeadlineMissing,
    Rule::DeadlineZero,
    Rule::BaseZero,
    Rule::CapBelowBase,
    Rule::Multiplier,
    Rule::ImmediateRepeats,
    Rule::NoJitter,
    Rule::AttemptTimeoutZero,
    Rule::ShortAttemptTimeout,
    Rule::AttemptTimeoutBeyondDeadline,
    Rule::AdaptiveWithoutCeiling,
    Rule::AdaptiveFactor,
    Rule::AdaptiveFloor,
    Rule::UnreachableAttempt,
    Rule::WorstCase,
];

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
        self.breaks_strictly(Rule::NoJitter)
    }

    pub(crate) const fn has_short_attempt_timeout(&self) -> bool {
        self.breaks_strictly(Rule::ShortAttemptTimeout)
    }

    const fn breaks_strictly(&self, rule: Rule) -> bool {
        PolicyError { policy: *self, allow: Allow::NONE, effect: None }.breaks(rule, &self.times())
    }

    pub(super) const fn is_backoff_sound(&self) -> bool {
        !self.breaks_base_zero() && !self.breaks_cap() && !self.breaks_multiplier()
    }

    const fn breaks_base_zero(&self) -> bool {
        self.backoff.base.is_zero() && !self.backoff.immediate && self.max_attempts > 1
    }

    const fn breaks_cap(&self) -> bool {
        self.backoff.cap.as_nanos() < self.backoff.base.as_nanos()
    }

    const fn breaks_multiplier(&self) -> bool {
        !(self.backoff.multiplier >= 1.0 && self.backoff.multiplier.is_finite())
    }

    const fn breaks_jitter(&self) -> bool {
        matches!(self.backoff.jitter, Jitter::None)
            && !self.backoff.immediate
            && self.max_attempts > 1
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
        let times = self.policy.times();
        let mut at = 0;
        while at < RULES.len() {
            if self.breaks(RULES[at], &times) {
                return Err(self);
            }
            at += 1;
        }
        Ok(())
    }

    pub(super) const fn breaks(&self, rule: Rule, times: &Times) -> bool {
        let policy = &self.policy;
        let (timeout, deadline) = (times.attempt, times.deadline);
        let limits_attempts = policy.attempt_timeout.is_some();
        match rule {
            Rule::MaxAttemptsZero => policy.max_attempts == 0,
            Rule::OnceRepeats => {
                matches!(self.effect, Some(Effect::Once)) && policy.max_attempts > 1
            }
            Rule::DeadlineMissing => policy.deadline.is_none(),
            Rule::DeadlineZero => deadline == 0,
            Rule::BaseZero => policy.breaks_base_zero(),
            Rule::CapBelowBase => policy.breaks_cap(),
            Rule::Multiplier => policy.breaks_multiplier(),
            Rule::ImmediateRepeats => policy.backoff.immediate && policy.max_attempts > 2,
            Rule::NoJitter => policy.breaks_jitter() && !self.allow.no_jitter,
            Rule::AttemptTimeoutZero => timeout == 0,
            Rule::ShortAttemptTimeout => {
                timeout > 0
                    && timeout < SHORTEST_ATTEMPT_TIMEOUT.as_nanos()
                    && !self.allow.short_attempt_timeout
            }
            Rule::AttemptTimeoutBeyondDeadline => {
                limits_attempts && deadline > 0 && timeout > deadline
            }
            Rule::AdaptiveWithoutCeiling => policy.adaptive.is_some() && !limits_attempts,
            Rule::AdaptiveFactor => match policy.adaptive {
                Some(adaptive) => !(adaptive.factor >= 1.0 && adaptive.factor.is_finite()),
                None => false,
            },
            Rule::AdaptiveFloor => match policy.adaptive {
                Some(adaptive) => {
                    let floor = adaptive.floor.as_nanos();
                    floor < SHORTEST_ATTEMPT_TIMEOUT.as_nanos() || floor > timeout
                }
                None => false,
            },
            Rule::UnreachableAttempt => {
                deadline > 0 && times.is_backoff_sound && times.is_unreachable
            }
            Rule::WorstCase => {
                times.is_backoff_sound
                    && !policy.cut_by_deadline
                    && deadline > 0
                    && !(limits_attempts && timeout > deadline)
                    && !times.is_unreachable
                    && times.worst_case > deadline
            }
        }
    }
}

error_in_words!(PolicyError);
