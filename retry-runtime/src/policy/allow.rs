//! What the attribute says beside the policy: the effect, and the rules that may be broken.

use super::Policy;

/// What repeating a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Effect {
    /// Repeating it changes nothing more.
    Idempotent,
    /// A write that the server recognises by its idempotency key.
    Keyed,
    /// A write without a key, which must not be repeated.
    Once,
}

/// The rules that a policy may break, because somebody gave a reason.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{Allow, Jitter, Policy};
///
/// let lockstep = Policy::fixed(Duration::from_secs(1))
///     .jitter(Jitter::None)
///     .deadline(Duration::from_secs(9));
/// assert!(lockstep.check().is_err());
/// assert!(lockstep.check_allowing(Allow::NONE.no_jitter()).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[must_use]
pub struct Allow {
    pub(super) no_jitter: bool,
    pub(super) short_attempt_timeout: bool,
}

impl Allow {
    /// No rule is switched off.
    pub const NONE: Self = Self { no_jitter: false, short_attempt_timeout: false };

    /// Allows delays without jitter.
    pub const fn no_jitter(mut self) -> Self {
        self.no_jitter = true;
        self
    }

    /// Allows an attempt timeout below 20 ms.
    pub const fn short_attempt_timeout(mut self) -> Self {
        self.short_attempt_timeout = true;
        self
    }
}

/// All that is judged while compiling: the policy, the effect, and what is allowed.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Rules {
    pub(crate) policy: Policy,
    pub(crate) effect: Effect,
    pub(super) allow: Allow,
}

impl Rules {
    /// For a call that changes nothing more when it is repeated.
    pub const fn idempotent(policy: Policy) -> Self {
        Self { policy, effect: Effect::Idempotent, allow: Allow::NONE }
    }

    /// For a write with an idempotency key.
    pub const fn keyed(policy: Policy) -> Self {
        Self { policy, effect: Effect::Keyed, allow: Allow::NONE }
    }

    /// For a write that must not be repeated.
    pub const fn once(policy: Policy) -> Self {
        Self { policy, effect: Effect::Once, allow: Allow::NONE }
    }

    /// The same, with these rules allowed to be broken.
    pub const fn allow(mut self, allow: Allow) -> Self {
        self.allow = allow;
        self
    }
}
