//! The async loop around the pure decision: what the attribute's expansion calls, line by line.

mod attempt;
pub(crate) mod failed;
mod outcome;
pub(crate) mod progress;
mod reconcile;
mod wait;

pub use attempt::{Attempt, Ended};
pub use failed::Limit;
pub use outcome::{CallError, Classified, Fallible};
pub use reconcile::{Answer, Reconciled};
pub use wait::Pause;

use crate::classify::Class;
use crate::downstream::{AsDownstream, Downstream};
use crate::environment::Live;
use crate::error::{Reason, Stopped};
use crate::key::IdempotencyKey;
use crate::offset::Offset;
use crate::policy::{Policy, Rules};
use failed::Failed;
use progress::Progress;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::panic::Location;
use tokio::time::Instant;

/// An annotated function: what all of its calls share.
#[derive(Debug)]
pub struct Call {
    name: &'static str,
    location: &'static Location<'static>,
    rules: Rules,
    limits: Limits,
    /// Used where the attribute names no downstream.
    own: Downstream,
}

impl Call {
    /// A function with its plain name, at the place of its attribute.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, rules: &Rules) -> Self {
        let own = Downstream::new(name);
        let limits = Limits::of(&rules.policy);
        Self { name, location: Location::caller(), rules: *rules, limits, own }
    }

    /// The name of the function, without `r#`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where the function is annotated.
    #[must_use]
    pub fn location(&self) -> &'static Location<'static> {
        self.location
    }

    /// The call goes to this dependency.
    #[must_use]
    pub fn downstream<'n, D: AsDownstream + ?Sized>(
        &'static self,
        downstream: &'n D,
    ) -> Options<'n> {
        self.options().downstream(downstream)
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
    pub fn begin<E>(&'static self) -> Run<'static, E> {
        self.options().begin()
    }

    pub(crate) fn options(&self) -> Options<'_> {
        Options { call: self, downstream: &self.own, key: None, deadline: None, reconciled: false }
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.rules.policy
    }
}

/// What the attribute says of one call.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    call: &'o Call,
    downstream: &'o Downstream,
    key: Option<&'o IdempotencyKey>,
    deadline: Option<Instant>,
    reconciled: bool,
}

impl<'o> Options<'o> {
    /// The call goes to this dependency.
    #[must_use]
    pub fn downstream<'n, D: AsDownstream + ?Sized>(self, downstream: &'n D) -> Options<'n>
    where
        'o: 'n,
    {
        Options { downstream: downstream.as_downstream(), ..self }
    }

    /// The call ends by this instant, if its policy and scope do not end it earlier.
    #[must_use]
    pub fn deadline(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// All attempts of the call carry this key.
    #[must_use]
    pub fn idempotency_key<'n>(self, key: &'n IdempotencyKey) -> Options<'n>
    where
        'o: 'n,
    {
        Options { key: Some(key), ..self }
    }

    /// The call asks whether it was applied before it is repeated, also where it is an enclosing
    /// call that repeats it.
    #[must_use]
    pub fn reconciled(self) -> Self {
        Self { reconciled: true, ..self }
    }

    /// One call of the function begins: its deadline counts from here.
    #[must_use]
    #[inline]
    pub fn begin<E>(self) -> Run<'o, E> {
        Run { progress: Progress::begin(&self, &Live), last: None }
    }
}

/// What the policy says, as every call needs it.
#[derive(Clone, Copy, Debug)]
struct Limits {
    call: Offset,
    attempt: Offset,
    /// How many attempts a call may make that retries; nothing of calls that do not.
    attempts: Option<NonZeroU32>,
    /// Whether the attempt timeout is always the same.
    is_fixed: bool,
}

impl Limits {
    const fn of(policy: &Policy) -> Self {
        Self {
            call: Offset::of(policy.longest_call()),
            attempt: Offset::of(policy.longest_attempt()),
            attempts: if policy.attempts() > 1 { NonZeroU32::new(policy.attempts()) } else { None },
            is_fixed: policy.adaptive().is_none(),
        }
    }
}

/// One call on its way: the state of the loop.
#[derive(Debug)]
pub struct Run<'d, E> {
    progress: Progress<'d>,
    /// The last error of the downstream, kept so that a later timeout cannot hide it.
    last: Option<E>,
}

/// What the loop does after an attempt.
#[derive(Debug)]
pub enum Next<R> {
    /// Ends the call with this result.
    Return(R),
    /// Starts another attempt after this pause.
    Retry(Pause),
}

impl<'d, E> Run<'d, E> {
    /// One run of the body, unless the call may not start it any more.
    #[inline]
    pub fn attempt<B: Future>(&mut self, body: B) -> Attempt<'_, 'd, B> {
        let start = self.progress.start_attempt(&Live);
        Attempt::new(start, &mut self.progress, body)
    }

    /// Judges the end of an attempt.
    #[inline]
    pub fn decide<R: Fallible<Last = E>>(
        &mut self,
        ended: Ended<R::Attempt>,
        classify: impl FnOnce(&E) -> Class,
    ) -> Next<R>
    where
        E: Debug,
    {
        match ended {
            Ended::Done(attempt) => match R::result(attempt) {
                Ok(value) => {
                    self.progress.succeed(&Live);
                    Next::Return(R::succeed(value))
                }
                Err(error) => self.decide_failed(Some(error), classify),
            },
            Ended::TimedOut => self.decide_failed(None, classify),
            Ended::NotStarted(reason) => Next::Return(self.give_up(reason)),
        }
    }

    /// It failed; without an error it was cut.
    #[inline(never)]
    fn decide_failed<R: Fallible<Last = E>>(
        &mut self,
        failure: Option<E>,
        classify: impl FnOnce(&E) -> Class,
    ) -> Next<R>
    where
        E: Debug,
    {
        let failed = self.keep(failure, classify);
        let decided = self.progress.fail(failed, shown(self.last.as_ref()), &Live);
        self.conclude(decided)
    }

    /// Classifies a failure, and keeps its error; without an error the attempt was cut.
    fn keep(&mut self, failure: Option<E>, classify: impl FnOnce(&E) -> Class) -> Failed {
        let Some(error) = failure else { return Failed::TIMED_OUT };
        let class = self.progress.class_of_attempt(classify(&error));
        self.last = Some(error);
        Failed::with(class)
    }

    #[inline(never)]
    fn give_up<R: Fallible<Last = E>>(&mut self, reason: Reason) -> R
    where
        E: Debug,
    {
        let stopped = self.progress.stop(reason, shown(self.last.as_ref()), &Live);
        R::give_up(stopped, self.last.take())
    }

    fn conclude<R: Fallible<Last = E>>(&mut self, decided: Result<Pause, Stopped>) -> Next<R> {
        match decided {
            Ok(pause) => Next::Retry(pause),
            Err(stopped) => Next::Return(R::give_up(stopped, self.last.take())),
        }
    }
}

/// The last error, for those who observe.
fn shown<E: Debug>(last: Option<&E>) -> Option<&dyn Debug> {
    last.map(|last| last as &dyn Debug)
}
