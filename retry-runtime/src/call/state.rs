//! A call on its way, and the little that it is before anything happens to it.

use super::Call;
use super::progress::Progress;
use crate::downstream::{Admitted, Downstream, Permit};
use crate::environment::{Environment, Live};
use crate::observe::anybody_listens;
use crate::scope::{self, Standing};
use crate::time::Time;
use std::mem::{self, ManuallyDrop};
use std::task::Poll;
use tokio::time::Instant;

/// Where a call is.
#[derive(Debug)]
pub(super) enum State<'d> {
    /// In its first attempt, and nothing has happened yet.
    Fresh(Fresh<'d>),
    /// Its drop is that of the whole state, so that one that is fresh has none.
    Going(ManuallyDrop<Progress<'d>>),
}

/// A call that has only begun. All else that a call has is made when its body fails, or asks for its
/// scope; and before that, if somebody has to be asked or told that it starts.
#[derive(Debug)]
pub(super) struct Fresh<'d> {
    call: &'static Call,
    downstream: &'d Downstream,
    began: Instant,
    /// What the breaker let through, if there is one.
    admitted: Admitted,
    /// Its body has had to wait.
    waited: bool,
}

/// A call in its first attempt, as far as code in its body can ask for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    call: &'static Call,
    began: Instant,
}

impl Opening {
    /// Where the call stands in its first attempt, in no scope.
    pub(crate) fn standing(self) -> Standing {
        Standing::in_first_attempt(Time::of(self.began), &self.call.limits)
    }
}

impl<'d> State<'d> {
    #[inline]
    pub(super) fn begin(call: &'static Call, downstream: &'d Downstream, began: Instant) -> Self {
        let admitted = Admitted::NOTHING;
        Self::Fresh(Fresh { call, downstream, began, admitted, waited: false })
    }

    /// A call that has more than most.
    #[inline]
    pub(super) fn begin_with(progress: Progress<'d>) -> Self {
        Self::Going(ManuallyDrop::new(progress))
    }

    /// The call with all that it has, whose first attempt has begun.
    #[inline]
    pub(super) fn going(&mut self) -> &mut Progress<'d> {
        if let Self::Fresh(_) = self {
            self.go(None);
        }
        match self {
            Self::Going(progress) => progress,
            Self::Fresh(_) => unreachable!("it goes since the lines above"),
        }
    }

    /// Polls the body of a first attempt, if nobody has to be asked or told that it runs; none
    /// otherwise, and then all that a call has is there.
    #[inline]
    pub(super) fn poll_fresh<T>(&mut self, poll: impl FnOnce() -> Poll<T>) -> Option<Poll<T>> {
        let Self::Fresh(fresh) = self else { return None };
        if !fresh.runs_quietly() {
            self.go_aloud();
            return None;
        }
        let open = Open(self);
        let polled = poll();
        mem::forget(open);
        if let Some(standing) = scope::close() {
            self.go(Some(standing));
        }
        Some(polled)
    }

    /// Makes all that a call has whose first attempt runs. It stands where its body has asked for
    /// its scope, if it has.
    #[inline(never)]
    fn go(&mut self, asked: Option<Standing>) {
        if let Self::Fresh(Fresh { call, downstream, began, admitted, .. }) = *self {
            let (began, permit) = (Time::of(began), Permit::admitted(downstream, admitted));
            let standing = asked.unwrap_or_else(|| Standing::in_first_attempt(began, &call.limits));
            let progress = Progress::in_first_attempt(call, permit, standing, began);
            *self = Self::Going(ManuallyDrop::new(progress));
        }
    }

    /// The attempt starts where somebody has to be asked or told, or has gone to where there is a
    /// scope.
    #[inline(never)]
    fn go_aloud(&mut self) {
        match self {
            Self::Fresh(fresh) if !fresh.waited => {
                let progress = Progress::begin(fresh.call, fresh.downstream, fresh.began);
                *self = Self::Going(ManuallyDrop::new(progress));
            }
            _ => {
                self.going();
            }
        }
    }

    /// The body has to wait. Gives the instant at which it is cut, if it ever is.
    #[inline]
    pub(super) fn wait(&mut self) -> Option<Instant> {
        match self {
            Self::Fresh(fresh) => {
                fresh.waited = true;
                fresh.call.limits.first_cut(fresh.began)
            }
            Self::Going(progress) => progress.ends_at(),
        }
    }

    #[inline]
    pub(super) fn succeed(&mut self) {
        match self {
            Self::Fresh(fresh) if !fresh.waited && fresh.downstream.is_at_rest(fresh.began) => {}
            _ => self.succeed_later(),
        }
    }

    #[inline(never)]
    fn succeed_later(&mut self) {
        match self {
            Self::Fresh(fresh) if fresh.waited && fresh.downstream.is_at_rest(Live.now()) => {}
            _ => self.going().succeed(&Live),
        }
    }
}

impl Fresh<'_> {
    /// Lets the body run where nobody has to be asked or told. Says whether it does.
    #[inline]
    fn runs_quietly(&mut self) -> bool {
        (self.waited || self.starts_quietly()) && scope::open(self.opening())
    }

    /// Lets the body start where nobody has to be asked or told. Says whether it does.
    #[inline]
    fn starts_quietly(&mut self) -> bool {
        self.call.limits.is_simple
            && !anybody_listens()
            && self.downstream.admit_quietly(&mut self.admitted)
    }

    #[inline]
    fn opening(&self) -> Opening {
        Opening { call: self.call, began: self.began }
    }
}

impl Drop for State<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Self::Going(progress) = self {
            progress.let_go();
        }
    }
}

/// Is dropped only if the body panics.
struct Open<'s, 'd>(&'s mut State<'d>);

impl Drop for Open<'_, '_> {
    fn drop(&mut self) {
        if let Some(standing) = scope::close() {
            self.0.go(Some(standing));
        }
        self.0.going().panicked();
    }
}
