//! A policy read from a file: the same settings, refused in the same words.

use super::{AdaptiveTimeout, Allow, Policy};
use crate::backoff::Jitter;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::time::Duration;

/// The policy as it is written, before anybody judges it.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    backoff: Backoff,
    multiplier: Option<f64>,
    jitter: Option<WrittenJitter>,
    max_attempts: Option<u32>,
    attempt_timeout: Option<Span>,
    adaptive_timeout: Option<Adaptive>,
    deadline: Option<Span>,
    #[serde(default)]
    cut_by_deadline: bool,
    #[serde(default)]
    owns_retries: bool,
    max_retry_after: Option<Span>,
    #[serde(default, skip_serializing)]
    allow: Reasons,
}

/// One word for each constructor of [`Policy`].
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Backoff {
    Exponential { base: Span, cap: Span },
    Fixed(Span),
    Immediate,
    Once,
}

#[derive(serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum WrittenJitter {
    Full,
    Equal,
    Decorrelated,
    None,
}

/// An adaptive timeout; what is left out is its default.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
struct Adaptive {
    floor: Option<Span>,
    factor: Option<f64>,
    minimum_samples: Option<u32>,
}

/// The rules that may be broken, each with a reason.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Reasons {
    no_jitter: Option<Reason>,
    short_attempt_timeout: Option<Reason>,
}

/// A text that says something.
struct Reason;

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.trim().is_empty() {
            return Err(D::Error::custom("a rule may be broken for a reason: write one"));
        }
        Ok(Self)
    }
}

/// A duration as people write it, such as `"180ms"` or `"1m 30s"`.
struct Span(Duration);

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&humantime::format_duration(self.0))
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        humantime::parse_duration(&text).map(Self).map_err(|error| {
            D::Error::custom(format!(
                "`{text}` is no duration, {error}: write a number and a unit, such as \"180ms\""
            ))
        })
    }
}

impl Written {
    pub(super) fn policy(&self) -> Policy {
        let mut policy = match self.backoff {
            Backoff::Exponential { base: Span(base), cap: Span(cap) } => {
                Policy::exponential(base, cap)
            }
            Backoff::Fixed(Span(interval)) => Policy::fixed(interval),
            Backoff::Immediate => Policy::immediate(),
            Backoff::Once => Policy::once(),
        };
        if let Some(multiplier) = self.multiplier {
            policy = policy.multiplier(multiplier);
        }
        if let Some(jitter) = &self.jitter {
            policy = policy.jitter(match jitter {
                WrittenJitter::Full => Jitter::Full,
                WrittenJitter::Equal => Jitter::Equal,
                WrittenJitter::Decorrelated => Jitter::Decorrelated,
                WrittenJitter::None => Jitter::None,
            });
        }
        if let Some(max_attempts) = self.max_attempts {
            policy = policy.max_attempts(max_attempts);
        }
        if let Some(Span(timeout)) = self.attempt_timeout {
            policy = policy.attempt_timeout(timeout);
        }
        if let Some(adaptive) = &self.adaptive_timeout {
            policy = policy.adaptive_timeout(adaptive.timeout());
        }
        if let Some(Span(deadline)) = self.deadline {
            policy = policy.deadline(deadline);
        }
        if self.cut_by_deadline {
            policy = policy.cut_by_deadline();
        }
        if self.owns_retries {
            policy = policy.owns_retries();
        }
        if let Some(Span(longest)) = self.max_retry_after {
            policy = policy.max_retry_after(longest);
        }
        policy
    }

    fn allow(&self) -> Allow {
        let mut allow = Allow::NONE;
        if self.allow.no_jitter.is_some() {
            allow = allow.no_jitter();
        }
        if self.allow.short_attempt_timeout.is_some() {
            allow = allow.short_attempt_timeout();
        }
        allow
    }
}

impl Adaptive {
    fn timeout(&self) -> AdaptiveTimeout {
        let mut timeout = AdaptiveTimeout::DEFAULT;
        if let Some(Span(floor)) = self.floor {
            timeout = timeout.floor(floor);
        }
        if let Some(factor) = self.factor {
            timeout = timeout.factor(factor);
        }
        if let Some(samples) = self.minimum_samples {
            timeout = timeout.minimum_samples(samples);
        }
        timeout
    }
}

/// Every setting, so that reading it back gives the same policy.
impl From<&Policy> for Written {
    fn from(policy: &Policy) -> Self {
        let super::Backoff { base, cap, multiplier, jitter, immediate } = policy.backoff;
        let exponential = Backoff::Exponential { base: Span(base), cap: Span(cap) };
        Self {
            backoff: if immediate { Backoff::Immediate } else { exponential },
            multiplier: Some(multiplier),
            jitter: Some(match jitter {
                Jitter::Full => WrittenJitter::Full,
                Jitter::Equal => WrittenJitter::Equal,
                Jitter::Decorrelated => WrittenJitter::Decorrelated,
                Jitter::None => WrittenJitter::None,
            }),
            max_attempts: Some(policy.max_attempts),
            attempt_timeout: policy.attempt_timeout.map(Span),
            adaptive_timeout: policy.adaptive.map(|adaptive| Adaptive {
                floor: Some(Span(adaptive.floor)),
                factor: Some(adaptive.factor),
                minimum_samples: Some(adaptive.minimum_samples),
            }),
            deadline: policy.deadline.map(Span),
            cut_by_deadline: policy.cut_by_deadline,
            owns_retries: policy.owns_retries,
            max_retry_after: Some(Span(policy.max_retry_after)),
            allow: Reasons::default(),
        }
    }
}

/// Reads and judges a policy; needs the feature `serde`.
///
/// ```toml
/// backoff = { exponential = { base = "50ms", cap = "1s" } } # or { fixed = "1s" }, "immediate", "once"
/// jitter = "full"                                           # or "equal", "decorrelated", "none"
/// multiplier = 2.0
/// max_attempts = 3
/// attempt_timeout = "180ms"
/// adaptive_timeout = { floor = "20ms", factor = 2.0, minimum_samples = 100 }
/// deadline = "800ms"
/// cut_by_deadline = false
/// owns_retries = false
/// max_retry_after = "5m"
/// allow = { short_attempt_timeout = "the server is on the same host" }
/// ```
///
/// Only `backoff` and `deadline` are required. A policy that is refused is an error with the
/// sentences of [`Policy::check`].
impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let policy = written.policy();
        policy.check_allowing(written.allow()).map_err(D::Error::custom)?;
        Ok(policy)
    }
}
