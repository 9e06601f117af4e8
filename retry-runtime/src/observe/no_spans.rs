//! In place of the spans, without the feature `tracing`: nothing.

#![expect(clippy::unused_self, reason = "these stand in for methods")]

use super::{Event, Facts};

#[derive(Debug)]
pub(crate) struct Spans;

impl Spans {
    pub(crate) const NONE: Self = Self;

    pub(crate) fn of_call(_: &Facts<'_>) -> Self {
        Self
    }

    pub(crate) fn begin_attempt(&mut self, _: u32) {}

    pub(crate) fn begin_question(&mut self) {}

    pub(crate) fn end(&mut self) {}

    #[inline]
    pub(crate) fn within<T>(&self, run: impl FnOnce() -> T) -> T {
        run()
    }

    pub(super) fn tell(&self, _: &Event<'_>, _: &Facts<'_>) {}

    #[inline]
    pub(super) const fn are_wanted() -> bool {
        false
    }
}
