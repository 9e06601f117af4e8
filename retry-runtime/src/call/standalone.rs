//! A function that names no downstream.

use super::{Call, Options, Run};
use crate::downstream::Downstream;
use crate::key::IdempotencyKey;
use crate::policy::Rules;
use tokio::time::Instant;

/// An annotated function with a downstream of its own, which has its name. Not a part of [`Call`]:
/// a downstream is large, and most functions name one that they share.
#[derive(Debug)]
pub struct Standalone {
    call: Call,
    downstream: Downstream,
}

impl Standalone {
    /// A function with its plain name, at the place of its attribute.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, rules: Rules) -> Self {
        Self { call: Call::new(name, rules), downstream: Downstream::new(name) }
    }

    /// The call ends by this instant, if its policy and scope do not end it earlier.
    #[must_use]
    pub fn deadline(&'static self, deadline: Instant) -> Options<'static> {
        self.options().deadline(deadline)
    }

    /// All attempts of the call carry this key.
    #[must_use]
    pub fn idempotency_key<'k>(&'static self, key: &'k IdempotencyKey) -> Options<'k> {
        self.options().idempotency_key(key)
    }

    /// One call of the function begins: its deadline counts from here.
    #[must_use]
    #[inline]
    pub fn begin<E>(&'static self) -> Run<'static, E> {
        self.options().begin()
    }

    #[inline]
    fn options(&'static self) -> Options<'static> {
        self.call.downstream(&self.downstream)
    }
}
