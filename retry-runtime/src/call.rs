//! The async loop around the pure decision: what the attribute's expansion calls, line by line.

mod attempt;
pub(crate) mod failed;
mod outcome;
mod pause;
pub(crate) mod progress;
mod reconcile;
mod standalone;
mod state;

pub use attempt::{Attempt, Ended};
pub use failed::Limit;
pub use outcome::{CallError, Classified, Fallible};
pub use pause::Pause;
pub use reconcile::{Answer, Reconciled};
pub use standalone::Standalone;

use crate::classify::Class;
use crate::downstream::{AsDownstream, Downstream};
use crate::environment::{Environment, Live};
use crate::error::{Reason, Stopped};
use crate::key::IdempotencyKey;
use crate::policy::{Policy, Rules};
use crate::time::Span;
use failed::Failed;
use progress::Progress;
pub(crate) use state::Opening;
use state::State;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::panic::Location;
use std::time::Duration;
use tokio::time::Instant;

/// An annotated function: what all of its calls share.
#[derive(Debug)]
pub struct Call {
    name: &'static str,
    location: &'static Location<'static>,
    rules: Rules,
    limits: Limits,
}

impl Call {
    /// A function with its plain name, at the place of its attribute.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, rules: Rules) -> Self {
        let limits = Limits::of(&rules.policy);
        Self { name, location: Location::caller(), rules, limits }
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
    #[inline]
    pub fn downstream<'n, D: AsDownstream + ?Sized>(
        &'static self,
        downstream: &'n D,
    ) -> Options<'n> {
        Options { call: self, downstream: downstream.as_downstream(), more: None }
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.rules.policy
    }
}

/// What the attribute says of one call.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    call: &'static Call,
    downstream: &'o Downstream,
    /// What few calls have.
    more: Option<More<'o>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct More<'o> {
    key: Option<&'o IdempotencyKey>,
    deadline: Option<Instant>,
    reconciled: bool,
}

impl<'o> Options<'o> {
    /// The call ends by this instant, if its policy and scope do not end it earlier.
    #[must_use]
    pub fn deadline(self, deadline: Instant) -> Self {
        self.with(More { deadline: Some(deadline), ..self.more.unwrap_or_default() })
    }

    /// All attempts of the call carry this key.
    #[must_use]
    pub fn idempotency_key<'n>(self, key: &'n IdempotencyKey) -> Options<'n>
    where
        'o: 'n,
    {
        let options: Options<'n> = self;
        options.with(More { key: Some(key), ..options.more.unwrap_or_default() })
    }

    /// The call asks whether it was applied before it is repeated, also where it is an enclosing
    /// call that repeats it.
    #[must_use]
    pub fn reconciled(self) -> Self {
        self.with(More { reconciled: true, ..self.more.unwrap_or_default() })
    }

    fn with(self, more: More<'o>) -> Self {
        Self { more: Some(more), ..self }
    }

    /// One call of the function begins: its deadline counts from here.
    #[must_use]
    #[inline]
    pub fn begin<E>(self) -> Run<'o, E> {
        let Self { call, downstream, more } = self;
        let began = Live.now();
        let state = match more {
            None => State::begin(call, downstream, began),
            Some(more) => State::begin_with(more.begin(call, downstream, began)),
        };
        Run { state, last: None }
    }
}

impl<'o> More<'o> {
    #[inline(never)]
    fn begin(
        self,
        call: &'static Call,
        downstream: &'o Downstream,
        began: Instant,
    ) -> Progress<'o> {
        let mut progress = Progress::begin(call, downstream, began);
        if let Some(deadline) = self.deadline {
            progress.end_by(deadline);
        }
        if let Some(key) = self.key {
            progress.carry(key);
        }
        if self.reconciled {
            progress.ask_first_in_doubt();
        }
        progress
    }
}

/// What the policy says, as every call needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) call: Span,
    pub(crate) attempt: Span,
    /// How many attempts a call may make that retries; nothing of calls that do not.
    pub(crate) attempts: Option<NonZeroU32>,
    /// Whether the attempt timeout is always the same, and there is time at all: what starts an
    /// attempt then depends on nothing but the call's downstream and scope.
    is_simple: bool,
    /// How long the first attempt may last, if there is a limit; made once, because it is what a body
    /// that has to wait asks for first.
    first: Option<Duration>,
}

impl Limits {
    const fn of(policy: &Policy) -> Self {
        Self {
            call: Span::of(policy.longest_call()),
            attempt: Span::of(policy.longest_attempt()),
            attempts: if policy.attempts() > 1 { NonZeroU32::new(policy.attempts()) } else { None },
            is_simple: policy.adaptive().is_none()
                && !matches!(policy.longest_call(), Some(Duration::ZERO)),
            first: shorter(policy.longest_call(), policy.longest_attempt()),
        }
    }

    /// When the first attempt of a call is cut that is in no scope and began then; none if it never
    /// is, or beyond what the clock can express.
    #[inline]
    fn first_cut(&self, began: Instant) -> Option<Instant> {
        self.first.and_then(|first| began.checked_add(first))
    }
}

const fn shorter(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) if one.as_nanos() < other.as_nanos() => Some(one),
        (_, Some(other)) => Some(other),
        (one, None) => one,
    }
}

/// One call on its way: the state of the loop.
#[derive(Debug)]
pub struct Run<'d, E> {
    state: State<'d>,
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
    /// One run of the body, after the pause if there is one, unless the call may not start it any
    /// more.
    #[inline]
    pub fn attempt<B: Future>(&mut self, body: B) -> Attempt<'_, 'd, B> {
        Attempt::new(&mut self.state, body)
    }

    /// The next attempt starts when the pause is over.
    #[inline]
    pub fn pause(&mut self, pause: Pause) {
        self.state.going().pause_until(pause.until);
    }

    /// Judges the end of an attempt.
    #[expect(
        clippy::inline_always,
        reason = "a result handed through a function costs more than the rest"
    )]
    #[inline(always)]
    pub fn decide<R: Fallible<Last = E>>(
        &mut self,
        ended: Ended<R::Attempt>,
        classify: impl FnOnce(&E) -> Class,
    ) -> Next<R>
    where
        E: Debug,
    {
        match self.judge::<R>(ended) {
            Ok(failure) => self.decide_failed(failure, classify),
            Err(result) => Next::Return(result),
        }
    }

    /// The failure there is to decide about, none if the attempt was cut; an error is the end of the
    /// call.
    #[expect(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn judge<R: Fallible<Last = E>>(&mut self, ended: Ended<R::Attempt>) -> Result<Option<E>, R>
    where
        E: Debug,
    {
        match ended {
            Ended::Done(attempt) => match R::result(attempt) {
                Ok(value) => {
                    self.state.succeed();
                    Err(R::succeed(value))
                }
                Err(error) => Ok(Some(error)),
            },
            Ended::TimedOut => Ok(None),
            Ended::NotStarted(reason) => Err(self.give_up(reason)),
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
        let decided = self.state.going().fail(failed, shown(self.last.as_ref()), &Live);
        self.conclude(decided)
    }

    /// Classifies a failure, and keeps its error; without an error the attempt was cut.
    fn keep(&mut self, failure: Option<E>, classify: impl FnOnce(&E) -> Class) -> Failed {
        let Some(error) = failure else { return Failed::TIMED_OUT };
        let class = self.state.going().class_of_attempt(classify(&error));
        self.last = Some(error);
        Failed::with(class)
    }

    #[inline(never)]
    fn give_up<R: Fallible<Last = E>>(&mut self, reason: Reason) -> R
    where
        E: Debug,
    {
        let stopped = self.state.going().stop(reason, shown(self.last.as_ref()), &Live);
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
