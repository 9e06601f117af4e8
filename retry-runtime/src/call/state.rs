//! A call on its way, and the little that it is before anything happens to it.

use super::progress::Progress;
use super::{Call, Options};
use crate::downstream::Admitted;
use crate::environment::Live;
use crate::observe::anybody_listens;
use crate::scope::{self, Standing, is_any_in_force};
use std::mem;
use std::task::Poll;
use tokio::time::Instant;

/// Where a call is.
#[derive(Debug)]
pub(super) enum State<'d> {
    /// In its first attempt, and nothing has happened yet.
    Fresh(Fresh<'d>),
    Going(Progress<'d>),
}

/// A call that has only begun. All else that a call has is made when its body has to wait, or fails,
/// or asks for its scope; and before that, if somebody has to be asked or told that it starts.
#[derive(Debug)]
pub(super) struct Fresh<'d> {
    options: Options<'d>,
    began: Instant,
    /// What the breaker let through, if there is one.
    admitted: Admitted,
}

/// A call in its first poll, as far as code in its body can ask for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    call: &'static Call,
    began: Instant,
}

impl Opening {
    /// Where the call stands in its first attempt, in no scope.
    pub(crate) fn standing(self) -> Standing {
        Standing::in_first_attempt(self.began, &self.call.limits)
    }
}

impl<'d> State<'d> {
    #[inline]
    pub(super) fn begin(options: Options<'d>, began: Instant) -> Self {
        Self::Fresh(Fresh { options, began, admitted: Admitted::NOTHING })
    }

    /// The call with all that it has, whose first attempt has begun.
    pub(super) fn going(&mut self) -> &mut Progress<'d> {
        if let Self::Fresh(fresh) = self {
            *self = Self::Going(fresh.go(fresh.opening().standing()));
        }
        match self {
            Self::Going(progress) => progress,
            Self::Fresh(_) => unreachable!("it goes since the lines above"),
        }
    }

    /// The first poll of the body, if nobody has to be asked or told that it begins; none otherwise,
    /// and then all that a call has is there.
    #[inline]
    pub(super) fn poll_first<T>(&mut self, poll: impl FnOnce() -> Poll<T>) -> Option<Poll<T>> {
        let Self::Fresh(fresh) = self else { return None };
        if !fresh.starts_quietly() {
            self.go_unstarted();
            return None;
        }
        scope::open(fresh.opening());
        let first = First(self);
        let polled = poll();
        mem::forget(first);
        if let Some(standing) = scope::close() {
            self.go(standing);
        }
        Some(polled)
    }

    #[inline(never)]
    fn go(&mut self, standing: Standing) {
        if let Self::Fresh(fresh) = self {
            *self = Self::Going(fresh.go(standing));
        }
    }

    #[inline(never)]
    fn go_unstarted(&mut self) {
        if let Self::Fresh(fresh) = self {
            *self = Self::Going(fresh.options.begin_at(fresh.began));
        }
    }

    #[inline]
    pub(super) fn succeed(&mut self) {
        match self {
            Self::Fresh(fresh) if fresh.options.downstream.is_at_rest(fresh.began) => {}
            _ => self.succeed_aloud(),
        }
    }

    #[inline(never)]
    fn succeed_aloud(&mut self) {
        self.going().succeed(&Live);
    }
}

impl<'d> Fresh<'d> {
    /// Lets the first attempt start where nobody has to be asked or told. Says whether it does.
    #[inline]
    fn starts_quietly(&mut self) -> bool {
        let Options { call, downstream, .. } = self.options;
        let is_simple = self.options.more.is_none() && call.limits.is_simple;
        is_simple
            && !anybody_listens()
            && !is_any_in_force()
            && downstream.admit_quietly(&mut self.admitted)
    }

    #[inline]
    fn opening(&self) -> Opening {
        Opening { call: self.options.call, began: self.began }
    }

    /// All that a call has whose first attempt runs, and has started quietly.
    fn go(&self, standing: Standing) -> Progress<'d> {
        let Options { call, downstream, .. } = self.options;
        Progress::in_first_attempt(call, downstream, standing, self.admitted)
    }
}

/// Is dropped only if the body panics.
struct First<'s, 'd>(&'s mut State<'d>);

impl Drop for First<'_, '_> {
    fn drop(&mut self) {
        if let Some(standing) = scope::close() {
            self.0.go(standing);
        }
        self.0.going().panicked();
    }
}
