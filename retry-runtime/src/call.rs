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
use crate::error::Stopped;
use crate::key::{IdempotencyKey, ToIdempotencyKey};
use crate::policy::{Policy, Rules};
use failed::Failed;
use progress::Progress;
use std::fmt::Debug;
use std::panic::Location;
use tokio::time::Instant;

/// An annotated function: what all of its calls share.
#[derive(Debug)]
pub struct Call {
    name: &'static str,
    location: &'static Location<'static>,
    rules: Rules,
    /// Used where the attribute names no downstream.
    own: Downstream,
}

impl Call {
    /// A function with its plain name, at the place of its attribute.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, rules: &Rules) -> Self {
        let own = Downstream::new(name);
        Self { name, location: Location::caller(), rules: *rules, own }
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

    pub(crate) fn policy(&self) -> &Policy {
        &self.rules.policy
    }

    /// One call of the function begins: its deadline counts from here.
    #[must_use]
    pub fn begin<E>(&'static self) -> Run<'static, E> {
        Run { progress: Progress::begin(self, &Live), last: None }
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
    /// The call goes to this dependency.
    #[must_use]
    pub fn downstream<'n, D: AsDownstream + ?Sized>(self, downstream: &'n D) -> Run<'n, E>
    where
        'd: 'n,
    {
        let downstream = downstream.as_downstream();
        Run { progress: self.progress.on(downstream), last: self.last }
    }

    /// The call ends by this instant, if its policy and scope do not end it earlier.
    #[must_use]
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.progress.end_by(deadline);
        self
    }

    /// All attempts of the call carry this key.
    #[must_use]
    pub fn idempotency_key<K: ToIdempotencyKey + ?Sized>(mut self, key: &K) -> Self {
        self.progress.carry(key.to_idempotency_key());
        self
    }

    /// One run of the body, unless the call may not start it any more.
    pub fn attempt<B: Future>(&mut self, body: B) -> Attempt<'_, 'd, B> {
        let start = self.progress.start_attempt(&Live);
        Attempt::new(start, &mut self.progress, body)
    }

    /// The key of the call, for the question whether it was applied.
    #[must_use]
    pub fn key(&self) -> IdempotencyKey {
        self.progress.key().unwrap_or_else(IdempotencyKey::absent)
    }

    /// Judges the end of an attempt.
    pub fn decide<R: Fallible<Last = E>>(
        &mut self,
        ended: Ended<R::Attempt>,
        classify: impl FnOnce(&E) -> Class,
    ) -> Next<R>
    where
        E: Debug,
    {
        match self.judge::<R>(ended, classify) {
            Ok(failed) => {
                let decided = self.progress.fail(failed, shown(self.last.as_ref()), &Live);
                self.conclude(decided)
            }
            Err(result) => Next::Return(result),
        }
    }

    /// What there is to decide about; an error is the end of the call.
    fn judge<R: Fallible<Last = E>>(
        &mut self,
        ended: Ended<R::Attempt>,
        classify: impl FnOnce(&E) -> Class,
    ) -> Result<Failed, R>
    where
        E: Debug,
    {
        match ended {
            Ended::Done(attempt) => match R::result(attempt) {
                Ok(value) => {
                    self.progress.succeed(&Live);
                    Err(R::succeed(value))
                }
                Err(error) => {
                    let class = classify(&error);
                    self.last = Some(error);
                    Ok(Failed::with(class))
                }
            },
            Ended::TimedOut => Ok(Failed::TIMED_OUT),
            Ended::NotStarted(reason) => {
                let stopped = self.progress.stop(reason, shown(self.last.as_ref()), &Live);
                Err(R::give_up(stopped, self.last.take()))
            }
        }
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
