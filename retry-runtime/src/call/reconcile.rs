//! Asking whether a write was applied, before it is repeated.

use super::attempt::{Attempt, Ended};
use super::outcome::Fallible;
use super::{Next, Run, shown};
use crate::classify::{Class, Delivery};
use crate::environment::Live;
use crate::observe;
use std::fmt::Debug;

/// What the server says of a write that may have been applied.
///
/// It is what the function behind `reconcile = ...` answers:
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{Classify, IdempotencyKey, Policy, Reconciled, retry};
///
/// const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
///     .attempt_timeout(Duration::from_millis(180))
///     .deadline(Duration::from_secs(2));
///
/// #[derive(Debug, thiserror::Error, Classify)]
/// #[error("the connection was lost")]
/// #[classify(transient)]
/// struct Lost;
///
/// #[retry(policy = CHECKOUT, idempotency_key = order, reconcile = find)]
/// async fn charge(order: &str) -> Result<u64, retry_runtime::Error<Lost>> {
///     let _ = order;
///     Err(Lost) // the answer, not the charge
/// }
///
/// async fn find(key: &IdempotencyKey) -> Result<Reconciled<u64>, Lost> {
///     assert_eq!(key.as_str(), "order-1");
///     Ok(Reconciled::Applied(500))
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// assert_eq!(charge("order-1").await.unwrap(), 500);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconciled<T> {
    /// The write was applied, and this is its result: the call succeeds.
    Applied(T),
    /// It was not: the next attempt may be made.
    NotApplied,
    /// The server cannot say: the call ends with [`Reason::UnknownOutcome`](crate::Reason::UnknownOutcome).
    Unknown,
}

impl<T> Reconciled<T> {
    /// The same without the value, for those who observe.
    fn shown(&self) -> observe::Answer {
        match self {
            Self::Applied(_) => observe::Answer::Applied,
            Self::NotApplied => observe::Answer::NotApplied,
            Self::Unknown => observe::Answer::Unknown,
        }
    }
}

/// What a question gives: an answer of the call's types.
#[diagnostic::on_unimplemented(
    message = "the function behind `reconcile` gives `{Self}`, which does not say whether the write was applied: let it give `Result<Reconciled<{V}>, {E}>`",
    label = "needs `Result<Reconciled<{V}>, {E}>` from `reconcile`"
)]
pub trait Answer<V, E> {
    #[doc(hidden)]
    fn answer(self) -> Option<Reconciled<V>>;
}

impl<V, E> Answer<V, E> for Result<Reconciled<V>, E> {
    fn answer(self) -> Option<Reconciled<V>> {
        self.ok()
    }
}

impl<E: Debug> Run<'_, E> {
    /// Judges the end of an attempt. If it may have been applied, `question` is asked first; a
    /// question that fails, or has no time, proves nothing.
    pub async fn decide_after<R, Q>(
        &mut self,
        ended: Ended<R::Attempt>,
        classify: impl FnOnce(&E) -> Class,
        question: Q,
    ) -> Next<R>
    where
        R: Fallible<Last = E>,
        Q: Future<Output = Option<Reconciled<R::Value>>>,
    {
        let error = match ended {
            Ended::Done(attempt) => match R::result(attempt) {
                Ok(value) => {
                    self.progress.succeed(&Live);
                    return Next::Return(R::succeed(value));
                }
                Err(error) => Some(error),
            },
            Ended::TimedOut => None,
            Ended::NotStarted(reason) => return Next::Return(self.give_up(reason)),
        };
        let mut failed = self.keep(error, classify);
        let now = self.progress.now(&Live);
        self.progress.end(failed, shown(self.last.as_ref()), now, &Live);
        if failed.class.delivery() == Delivery::Unknown {
            match self.ask(question).await {
                Reconciled::Applied(value) => {
                    self.progress.was_applied(&Live);
                    return Next::Return(R::succeed(value));
                }
                Reconciled::NotApplied => failed.class = failed.class.refused(),
                Reconciled::Unknown => failed.unanswered = true,
            }
        }
        let now = self.progress.now(&Live);
        let decided = self.progress.decide(failed, shown(self.last.as_ref()), now, &Live);
        self.conclude(decided)
    }

    async fn ask<T>(
        &mut self,
        question: impl Future<Output = Option<Reconciled<T>>>,
    ) -> Reconciled<T> {
        let start = self.progress.start_question(&Live);
        let ended = Attempt::new(start, &mut self.progress, question).await;
        let answer = match ended {
            Ended::Done(answer) => answer,
            Ended::TimedOut | Ended::NotStarted(_) => None,
        };
        self.progress.end_question(answer.as_ref().map(Reconciled::shown), &Live);
        answer.unwrap_or(Reconciled::Unknown)
    }
}
