//! What is said of a policy that breaks a rule: what is wrong, why, and what to write.

use super::rule::{PolicyError, Rule};
use super::text::Text;
use super::{AdaptiveTimeout, Policy};
use crate::backoff::Backoff;
use std::time::Duration;

impl PolicyError {
    /// Every broken rule's sentence, one after the other.
    pub(crate) const fn text(&self) -> Text {
        let rules = self.rules();
        let mut text = Text::new();
        let mut at = 0;
        while at < rules.len() {
            let (rule, is_broken) = rules[at];
            if is_broken {
                if !text.is_empty() {
                    text = text.push("\nalso, ");
                }
                text = self.describe(rule, text);
            }
            at += 1;
        }
        text
    }

    const fn describe(&self, rule: Rule, text: Text) -> Text {
        let policy = &self.policy;
        match rule {
            Rule::MaxAttemptsZero | Rule::OnceRepeats | Rule::ImmediateRepeats => {
                policy.describe_attempts(rule, text)
            }
            Rule::DeadlineMissing => text.push(
                "the policy has no `deadline`, so a failing call could keep its caller waiting \
                 without end: add `.deadline(...)`, the time that the whole call may take",
            ),
            Rule::DeadlineZero => text.push(
                "the `deadline` is 0 ms, so every call would end before its first attempt: write \
                 the time that the whole call may take",
            ),
            Rule::BaseZero | Rule::CapBelowBase | Rule::Multiplier | Rule::NoJitter => {
                policy.describe_backoff(rule, text)
            }
            Rule::AdaptiveWithoutCeiling | Rule::AdaptiveFactor | Rule::AdaptiveFloor => {
                policy.describe_adaptive(rule, text)
            }
            _ => policy.describe_time(rule, text),
        }
    }
}

impl Policy {
    const fn describe_attempts(&self, rule: Rule, text: Text) -> Text {
        let attempts = self.max_attempts as u128;
        match rule {
            Rule::MaxAttemptsZero => text.push(
                "`max_attempts` is 0, and it counts the first attempt too, so nothing would ever \
                 be sent: write at least 1",
            ),
            Rule::OnceRepeats => text
                .push("`once` sends a write a single time, but the policy has `max_attempts` ")
                .number(attempts)
                .push(
                    ": write `.max_attempts(1)` or `Policy::once()`, or make repeating safe with \
                     `idempotency_key = ...`",
                ),
            _ => text
                .push("`Policy::immediate()` with `max_attempts` ")
                .number(attempts)
                .push(" would hammer a failing service without a pause: keep at most 2 attempts, ")
                .push("or pause with `Policy::exponential(base, cap)`"),
        }
    }

    const fn describe_backoff(&self, rule: Rule, text: Text) -> Text {
        let Backoff { base, cap, multiplier, .. } = self.backoff;
        match rule {
            Rule::BaseZero => text.push(
                "the `base` of the backoff is 0 ms, and zero multiplied stays zero, so a failing \
                 service would be hammered without a pause: write a base above zero, or \
                 `Policy::immediate()` for a single retry at once",
            ),
            Rule::CapBelowBase => text
                .push("the `cap` of ")
                .duration(cap)
                .push(" is below the `base` of ")
                .duration(base)
                .push(", so that no delay is both: write a cap of at least ")
                .duration(base),
            Rule::Multiplier => text
                .push("the `multiplier` is ")
                .float(multiplier)
                .push(", but delays have to grow or stay: write a finite number of at least 1"),
            _ => text.push(
                "the policy has no jitter, so callers that fail together come back together: write \
                 `.jitter(Jitter::Full)`, or `allow(no_jitter = \"reason\")` in the attribute",
            ),
        }
    }

    const fn describe_adaptive(&self, rule: Rule, text: Text) -> Text {
        let adaptive = match self.adaptive {
            Some(adaptive) => adaptive,
            None => AdaptiveTimeout::DEFAULT,
        };
        match rule {
            Rule::AdaptiveWithoutCeiling => text.push(
                "the adaptive timeout has no ceiling, so attempts could wait as long as the deadline \
                 while too little is known: add `.attempt_timeout(...)`",
            ),
            Rule::AdaptiveFactor => text
                .push("the `factor` of the adaptive timeout is ")
                .float(adaptive.factor)
                .push(
                    ", and a timeout below what 99 of 100 successful calls need cuts healthy ones: \
                     write a finite number of at least 1, such as 2",
                ),
            _ => text
                .push("the `floor` of the adaptive timeout is ")
                .duration(adaptive.floor)
                .push(", which is below 20 ms or above the `attempt_timeout`: write something between"),
        }
    }

    const fn describe_time(&self, rule: Rule, text: Text) -> Text {
        let timeout = match self.attempt_timeout {
            Some(timeout) => timeout,
            None => Duration::ZERO,
        };
        let deadline = match self.deadline {
            Some(deadline) => deadline,
            None => Duration::ZERO,
        };
        match rule {
            Rule::AttemptTimeoutZero => text.push(
                "the `attempt_timeout` is 0 ms, so every attempt would be cut before it began: \
                 write at least 20 ms, twice the time that 99 of 100 successful calls need",
            ),
            Rule::ShortAttemptTimeout => {
                text.push("the `attempt_timeout` of ").duration(timeout).push(
                    " is below 20 ms, so healthy answers that are merely slow would be cut and \
                     asked for again: write at least 20 ms, or \
                     `allow(short_attempt_timeout = \"reason\")` in the attribute",
                )
            }
            Rule::AttemptTimeoutBeyondDeadline => text
                .push("the `attempt_timeout` of ")
                .duration(timeout)
                .push(" exceeds the deadline of ")
                .duration(deadline)
                .push(", so it would never fire: write less than the deadline"),
            Rule::UnreachableAttempt => self.describe_unreachable(deadline, text),
            _ => self.describe_worst_case(timeout, deadline, text),
        }
    }

    const fn describe_unreachable(&self, deadline: Duration, text: Text) -> Text {
        let attempt = self.counted_on();
        text.push("attempt ")
            .number(attempt as u128)
            .push(" can never start, because even the shortest waits before it take ")
            .nanos(self.waits(attempt).shortest)
            .push(" and the deadline is ")
            .duration(deadline)
            .push(": write fewer attempts, shorter delays or a later deadline")
    }

    const fn describe_worst_case(&self, timeout: Duration, deadline: Duration, text: Text) -> Text {
        let mut text = text
            .push("worst case ")
            .nanos(self.times().worst_case)
            .push(" exceeds the deadline of ")
            .duration(deadline)
            .push(" (")
            .number(self.max_attempts as u128)
            .push(" attempts");
        if self.attempt_timeout.is_some() {
            text = text.push(" of ").duration(timeout);
        }
        text.push(" and waits of up to ")
            .nanos(self.waits(self.max_attempts).longest)
            .push("), so the last attempt may be cut: write fewer or shorter attempts, or ")
            .push("`.cut_by_deadline()` to accept it")
    }
}
