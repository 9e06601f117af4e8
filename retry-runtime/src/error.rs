//! How a call ends that does not succeed: the last real error, why it stopped, what is known.

mod stopped;

pub use stopped::{FromStopped, Outcome, Reason, Stopped};

pub use stopped::StoppedField;

use crate::classify::{Class, Classify};
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// A call that did not succeed: the last error of the downstream, and the facts of the stop.
///
/// The error and the decision are kept apart: [`last`](Self::last) is what the downstream said,
/// [`reason`](Self::reason) is why the call went no further.
///
/// ```
/// use retry_runtime::{Classify, Outcome, Policy, Reason, retry};
/// use std::time::Duration;
///
/// const TWICE: Policy = Policy::fixed(Duration::from_millis(1))
///     .max_attempts(2)
///     .deadline(Duration::from_secs(1));
///
/// #[retry(policy = TWICE, idempotent)]
/// async fn read() -> Result<u32, retry_runtime::Error<std::io::Error>> {
///     Err(std::io::ErrorKind::ConnectionRefused.into())
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let error = read().await.unwrap_err();
/// assert_eq!(error.reason(), Reason::AttemptLimit);
/// assert_eq!(error.attempts(), 2);
/// assert_eq!(error.outcome(), Outcome::NotApplied);
/// assert!(error.last().is_some());
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Error<E> {
    stopped: Stopped,
    last: Option<E>,
}

impl<E> Error<E> {
    pub(crate) fn new(stopped: Stopped, last: Option<E>) -> Self {
        Self { stopped, last }
    }

    /// Why the call went no further.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.stopped.reason()
    }

    /// What is known of the effect of the call.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.stopped.outcome()
    }

    /// How many attempts were started; 0 if the call was refused before the first.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.stopped.attempts()
    }

    /// How long the call took, attempts and waits together.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.stopped.elapsed()
    }

    /// How long the server asked to be left alone when it last failed.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.stopped.retry_after()
    }

    /// The last error of the downstream; none if every attempt timed out or none was started.
    #[must_use]
    pub fn last(&self) -> Option<&E> {
        self.last.as_ref()
    }

    /// The last error of the downstream, by value.
    #[must_use]
    pub fn into_last(self) -> Option<E> {
        self.last
    }

    /// The facts of the stop without the error.
    #[must_use]
    pub fn stopped(&self) -> Stopped {
        self.stopped
    }
}

impl<E> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stopped.fmt(f)
    }
}

impl<E: StdError + 'static> StdError for Error<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.last.as_ref().map(|last| last as &(dyn StdError + 'static))
    }
}

/// An error handed up keeps its class only where nobody has used up the retries below.
impl<E: fmt::Debug> Classify for Error<E> {
    fn classify(&self) -> Class {
        self.stopped.classify()
    }
}
