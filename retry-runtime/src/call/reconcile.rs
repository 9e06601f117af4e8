//! Asking whether a write was applied, before it is repeated.

use super::attempt::{Attempt, Ended};
use super::outcome::Fallible;
use super::{Next, Pause, Run, shown};
use crate::classify::{Class, Delivery};
use crate::environment::{Environment, Live};
use crate::error::Reason;
use crate::observe;
use crate::time::Now;
use std::fmt::Debug;

/// What the server says of a write that may have been applied.
///
/// It is what the function behind `reconcile = ...` answers. It is asked after every attempt that
/// may have been applied, and before the first one where an earlier attempt of an enclosing call may
/// have been.
///
/// A question may last as long as an attempt: the policy's attempt timeout, counted anew, and never
/// beyond the end of the call. It goes through the breaker and the limits of the same downstream. It
/// is no attempt, costs no retry token, and an annotated function that is asked runs one attempt.
/// Without an attempt timeout an attempt that hangs leaves no time to ask.
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
    /// It was not, and will not be any more: the next attempt may be made.
    ///
    /// A request that was given up can still be on its way. A server that looks for the write, does
    /// not find it, and would carry it out when it arrives a moment later, cannot say this.
    NotApplied,
    /// The server cannot say: the call ends with [`Reason::UnknownOutcome`](crate::Reason::UnknownOutcome).
    ///
    /// A question that fails or takes too long says the same. One that cannot be asked, because
    /// there is no time or the downstream lets nobody in, ends the call with that reason.
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
    /// question that fails proves nothing.
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
        if let Ended::NotStarted(Reason::UnknownOutcome) = ended {
            return self.ask_before(question).await;
        }
        let failure = match self.judge::<R>(ended) {
            Ok(failure) => failure,
            Err(result) => return Next::Return(result),
        };
        let mut failed = self.keep(failure, classify);
        let now = Now::of(Live.now());
        self.state.going().end(failed, shown(self.last.as_ref()), now, &Live);
        if failed.class.delivery() == Delivery::Unknown {
            match self.ask(question).await {
                Ok(Reconciled::Applied(value)) => return self.was_applied(value),
                Ok(Reconciled::NotApplied) => failed.class = failed.class.refused(),
                Ok(Reconciled::Unknown) => failed.unanswered = true,
                Err(reason) => {
                    let last = shown(self.last.as_ref());
                    let stopped = self.state.going().stop_unasked(failed, reason, last, &Live);
                    return self.conclude(Err(stopped));
                }
            }
        }
        let now = Now::of(Live.now());
        let decided = self.state.going().decide(failed, shown(self.last.as_ref()), now, &Live);
        self.conclude(decided)
    }

    /// Asks before the first attempt, because an enclosing call may have made one before.
    async fn ask_before<R, Q>(&mut self, question: Q) -> Next<R>
    where
        R: Fallible<Last = E>,
        Q: Future<Output = Option<Reconciled<R::Value>>>,
    {
        let reason = match self.ask(question).await {
            Ok(Reconciled::Applied(value)) => return self.was_applied(value),
            Ok(Reconciled::NotApplied) => {
                self.state.going().was_not_applied_before();
                return Next::Retry(Pause { until: None });
            }
            Ok(Reconciled::Unknown) => Reason::UnknownOutcome,
            Err(reason) => reason,
        };
        let stopped = self.state.going().stop(reason, shown(self.last.as_ref()), &Live);
        self.conclude(Err(stopped))
    }

    fn was_applied<R: Fallible<Last = E>>(&mut self, value: R::Value) -> Next<R> {
        self.state.going().was_applied(&Live);
        Next::Return(R::succeed(value))
    }

    /// Unknown if the question fails; an error if it cannot be asked.
    async fn ask<T>(
        &mut self,
        question: impl Future<Output = Option<Reconciled<T>>>,
    ) -> Result<Reconciled<T>, Reason> {
        let start = self.state.going().start_question(&Live);
        let ended = Attempt::started(start, &mut self.state, question).await;
        let (answer, asked) = match ended {
            Ended::Done(answer) => (answer, Ok(())),
            Ended::TimedOut => (None, Ok(())),
            Ended::NotStarted(reason) => (None, Err(reason)),
        };
        self.state.going().end_question(answer.as_ref().map(Reconciled::shown), &Live);
        asked.map(|()| answer.unwrap_or(Reconciled::Unknown))
    }
}
