//! The two shapes of result that an annotated function may have.

use crate::classify::{Class, Classify};
use crate::error::{Error, FromStopped, Stopped};
use std::fmt::Debug;

/// A return type that can fail, so that there is something to retry.
#[diagnostic::on_unimplemented(
    message = "a retried function has to return a `Result`, because only a failure can be tried again",
    label = "this is not a `Result`",
    note = "write `-> Result<{Self}, retry_runtime::Error<YourError>>`"
)]
pub trait Fallible: Sized {
    /// What the body yields. The whole of it is asked for by this name, so that where `Self` is
    /// not a `Result` the body is not judged on top of that.
    type Attempt;
    /// What a call that succeeds yields.
    type Value;
    /// The error of the body.
    type Last;
    /// The body's own result.
    ///
    /// # Errors
    ///
    /// The error of the body.
    fn result(attempt: Self::Attempt) -> Result<Self::Value, Self::Last>;
    /// The call ends with a success.
    fn succeed(value: Self::Value) -> Self;
    /// The call ends without one.
    fn give_up(stopped: Stopped, last: Option<Self::Last>) -> Self;
}

impl<T, X: CallError> Fallible for Result<T, X> {
    type Attempt = Result<T, X::Last>;
    type Value = T;
    type Last = X::Last;

    fn result(attempt: Self::Attempt) -> Self::Attempt {
        attempt
    }

    fn succeed(value: T) -> Self {
        Ok(value)
    }

    fn give_up(stopped: Stopped, last: Option<X::Last>) -> Self {
        Err(X::give_up(stopped, last))
    }
}

/// A return type whose error says what may be tried again.
///
/// A trait of its own, so that a missing [`Classify`] is reported at the return type.
pub trait Classified: Fallible<Last: Debug> {
    /// What an error of the body means for trying again.
    fn classify(error: &Self::Last) -> Class;
}

impl<R: Fallible> Classified for R
where
    R::Last: Classify,
{
    fn classify(error: &R::Last) -> Class {
        error.classify()
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
