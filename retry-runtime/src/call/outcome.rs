//! The two shapes of result that an annotated function may have.

use crate::classify::Class;
use crate::error::{Error, FromStopped, Stopped};
use std::fmt;
use std::marker::PhantomData;

/// A return type that can fail, so that there is something to retry.
#[diagnostic::on_unimplemented(
    message = "a retried function has to return a `Result`, because only a failure can be tried again",
    label = "this is not a `Result`",
    note = "write `-> Result<{Self}, retry_runtime::Error<YourError>>`"
)]
pub trait Fallible {
    /// What the body of the function yields.
    type Attempt;
    /// The error of the downstream.
    type Last;
}

impl<T, X: CallError> Fallible for Result<T, X> {
    type Attempt = Result<T, X::Last>;
    type Last = X::Last;
}

/// What the body of a function yields, seen from the function's return type `R`.
///
/// The loop is bounded by this and not by `R: Fallible`, so that a wrong return type is reported
/// once, where [`Fallible`] is asked for, and not again at every use.
pub trait AttemptOf<R> {
    /// The value of success.
    type Value;
    /// The error of the downstream.
    type Last;
    /// The same as a plain `Result`.
    fn into_result(self) -> Result<Self::Value, Self::Last>;
    /// The call ends with a success.
    fn succeed(value: Self::Value) -> R;
    /// The call ends without one.
    fn give_up(stopped: Stopped, last: Option<Self::Last>) -> R;
}

impl<T, E, X: CallError<Last = E>> AttemptOf<Result<T, X>> for Result<T, E> {
    type Value = T;
    type Last = E;

    fn into_result(self) -> Self {
        self
    }

    fn succeed(value: T) -> Result<T, X> {
        Ok(value)
    }

    fn give_up(stopped: Stopped, last: Option<E>) -> Result<T, X> {
        Err(X::give_up(stopped, last))
    }
}

/// How the errors in the body of a function that returns `R` are judged.
pub struct Classifier<R, E> {
    classify: fn(&E) -> Class,
    returns: PhantomData<fn() -> R>,
}

impl<R, E> Classifier<R, E> {
    /// By this function.
    pub const fn new(classify: fn(&E) -> Class) -> Self {
        Self { classify, returns: PhantomData }
    }

    pub(super) fn judge(&self, error: &E) -> Class {
        (self.classify)(error)
    }
}

impl<R, E> fmt::Debug for Classifier<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Classifier").finish_non_exhaustive()
    }
}

/// The error in the return type: [`Error<E>`] around the body's `E`, or the body's `E` itself.
pub trait CallError: Sized {
    /// The error of the body.
    type Last;
    /// The error that the caller gets.
    fn give_up(stopped: Stopped, last: Option<Self::Last>) -> Self;
}

impl<E> CallError for Error<E> {
    type Last = E;

    fn give_up(stopped: Stopped, last: Option<E>) -> Self {
        Self::new(stopped, last)
    }
}

impl<E: FromStopped> CallError for E {
    type Last = E;

    fn give_up(stopped: Stopped, last: Option<E>) -> Self {
        last.unwrap_or_else(|| E::from_stopped(stopped))
    }
}
