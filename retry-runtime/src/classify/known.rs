//! Errors whose type is erased: what stands somewhere in the chain of their sources.

use super::{Class, Classify};
use crate::error::{Error, Stopped};
#[cfg(feature = "reqwest")]
use crate::wire::HttpError;
#[cfg(feature = "http")]
use crate::wire::StatusError;
use std::error::Error as StdError;
use std::iter::successors;

/// The class of the first `E` in an error and its sources, for errors whose type is erased.
///
/// ```
/// use retry_runtime::{Class, classify};
/// use std::io;
///
/// let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
/// let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(refused);
/// let class = classify::find::<io::Error>(&*boxed).unwrap_or(Class::PERMANENT);
/// assert!(class.is_retryable());
/// ```
#[must_use]
pub fn find<E: StdError + Classify + 'static>(error: &(dyn StdError + 'static)) -> Option<Class> {
    cause::<E>(error).map(Classify::classify)
}

/// The class of the first error in a chain that this crate knows; permanent if it knows none.
///
/// It knows [`std::io::Error`] and what this crate makes of it, [`Stopped`], and with their features the errors of reqwest, tonic and
/// the module `wire`. It is a `classify = ...` for errors whose type is erased:
///
/// ```
/// use retry_runtime::{Policy, classify, retry};
/// use std::time::Duration;
///
/// type BoxError = Box<dyn std::error::Error + Send + Sync>;
///
/// const READ: Policy = Policy::fixed(Duration::from_millis(1)).deadline(Duration::from_secs(1));
///
/// #[retry(policy = READ, idempotent, classify = |error: &BoxError| classify::known(&**error))]
/// async fn read() -> Result<u32, BoxError> {
///     Err(std::io::Error::from(std::io::ErrorKind::ConnectionRefused).into())
/// }
/// # #[tokio::main(flavor = "current_thread")] async fn main() { assert!(read().await.is_err()); }
/// ```
pub fn known(error: &(dyn StdError + 'static)) -> Class {
    chain(error).find_map(known_alone).unwrap_or(Class::PERMANENT)
}

fn known_alone(error: &(dyn StdError + 'static)) -> Option<Class> {
    fn of<E: StdError + Classify + 'static>(error: &(dyn StdError + 'static)) -> Option<Class> {
        error.downcast_ref::<E>().map(Classify::classify)
    }
    #[cfg(feature = "http")]
    if let Some(class) = of::<StatusError>(error).or_else(|| of::<Error<StatusError>>(error)) {
        return Some(class);
    }
    #[cfg(feature = "reqwest")]
    if let Some(class) = of::<HttpError>(error)
        .or_else(|| of::<Error<HttpError>>(error))
        .or_else(|| of::<::reqwest::Error>(error))
        .or_else(|| of::<Error<::reqwest::Error>>(error))
    {
        return Some(class);
    }
    #[cfg(feature = "tonic")]
    if let Some(class) =
        of::<::tonic::Status>(error).or_else(|| of::<Error<::tonic::Status>>(error))
    {
        return Some(class);
    }
    of::<Stopped>(error)
        .or_else(|| of::<Error<std::io::Error>>(error))
        .or_else(|| of::<std::io::Error>(error).filter(|_| !only_wraps(error)))
}

/// An `io::Error` that says nothing of its own about what it wraps has no opinion.
fn only_wraps(error: &(dyn StdError + 'static)) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::Other && error.get_ref().is_some())
}

/// The first `E` in an error and its sources.
pub(crate) fn cause<'e, E: StdError + 'static>(
    error: &'e (dyn StdError + 'static),
) -> Option<&'e E> {
    chain(error).find_map(|error| error.downcast_ref())
}

/// An error and its sources.
fn chain<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    successors(Some(error), |&error| next(error))
}

fn next<'e>(error: &'e (dyn StdError + 'static)) -> Option<&'e (dyn StdError + 'static)> {
    // What an `io::Error` wraps is no source of it, only that one's source is.
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    match wrapped {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}
