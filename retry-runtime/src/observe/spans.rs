//! A span for a call, and one in it for each attempt and question; with the feature `tracing`.

use super::{Event, Facts, log};
use tracing::{Span, debug_span};

/// The spans of one call. Nothing is allocated while nobody wants them.
#[derive(Debug)]
pub(crate) struct Spans(Option<Box<Pair>>);

#[derive(Debug)]
struct Pair {
    call: Span,
    /// Of the attempt or the question that runs.
    inner: Span,
}

impl Spans {
    pub(crate) const NONE: Self = Self(None);

    pub(crate) fn of_call(facts: &Facts<'_>) -> Self {
        let call = debug_span!(
            target: log::TARGET,
            "call",
            root = %log::Root(facts.root_id),
            id = facts.call_id,
            call = facts.call,
            downstream = facts.downstream,
            owner = facts.owner,
            key = facts.key.map(tracing::field::display),
        );
        let wanted = !call.is_disabled();
        Self(wanted.then(|| Box::new(Pair { call, inner: Span::none() })))
    }

    pub(crate) fn begin_attempt(&mut self, number: u32) {
        self.begin(|| debug_span!(target: log::TARGET, "attempt", number));
    }

    pub(crate) fn begin_question(&mut self) {
        self.begin(|| debug_span!(target: log::TARGET, "question"));
    }

    fn begin(&mut self, inner: impl FnOnce() -> Span) {
        if let Some(pair) = &mut self.0 {
            pair.inner = pair.call.in_scope(inner);
        }
    }

    /// The attempt or the question is over.
    pub(crate) fn end(&mut self) {
        if let Some(pair) = &mut self.0 {
            pair.inner = Span::none();
        }
    }

    /// Runs something in the innermost span: a poll, never more, so that no span is left entered
    /// while the call waits.
    #[inline]
    pub(crate) fn within<T>(&self, run: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(pair) if pair.inner.is_disabled() => pair.call.in_scope(run),
            Some(pair) => pair.inner.in_scope(run),
            None => run(),
        }
    }

    pub(super) fn tell(&self, event: &Event<'_>, facts: &Facts<'_>) {
        self.within(|| log::tell(event, facts));
    }

    /// Whether there is a subscriber at all.
    #[inline]
    pub(super) fn are_wanted() -> bool {
        tracing::level_filters::LevelFilter::current() != tracing::level_filters::LevelFilter::OFF
    }
}
