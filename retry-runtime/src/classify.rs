//! What a failure says: whether another attempt may help, and whether the request was delivered.

mod io;
mod known;
#[cfg(feature = "serde")]
mod written;

pub use known::{find, known};
#[cfg(any(feature = "reqwest", feature = "tonic"))]
pub(crate) use {io::unconnected, known::cause};

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// What one failure says about trying again.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{Class, Delivery};
///
/// let busy = Class::THROTTLED.retry_after(Duration::from_secs(7));
/// assert!(busy.is_retryable());
/// assert_eq!(busy.delivery(), Delivery::Refused);
/// assert_eq!(busy.hint(), Some(Duration::from_secs(7)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "written::Class", into = "written::Class"))]
#[must_use]
pub struct Class {
    /// The hint, taken apart so that a class is two words.
    hint_secs: u64,
    /// [`NO_HINT`] where there is none.
    hint_nanos: u32,
    prospect: Prospect,
    delivery: Delivery,
}

/// More nanoseconds than a second has.
const NO_HINT: u32 = u32::MAX;

/// Whether the server may have acted on a request that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Delivery {
    /// The request never left the caller, such as a refused connection.
    NotSent,
    /// The server got the request and says that it did not act on it, such as a 429.
    Refused,
    /// Nobody can say, such as after a timeout. Assumed where nothing else is known.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum Prospect {
    Transient,
    Throttled,
    Permanent,
}

/// What a class says beside its hint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    prospect: Prospect,
    delivery: Delivery,
}

impl Said {
    pub(crate) const fn class(self, hint: Option<Duration>) -> Class {
        let class = Class::new(self.prospect, self.delivery);
        match hint {
            Some(hint) => class.retry_after(hint),
            None => class,
        }
    }
}

impl Class {
    /// Another attempt may succeed; whether this one was delivered is unknown.
    pub const TRANSIENT: Self = Self::new(Prospect::Transient, Delivery::Unknown);

    /// The server asks for fewer requests, and refused this one.
    pub const THROTTLED: Self = Self::new(Prospect::Throttled, Delivery::Refused);

    /// Another attempt would fail the same way; whether this one was delivered is unknown.
    pub const PERMANENT: Self = Self::new(Prospect::Permanent, Delivery::Unknown);

    const fn new(prospect: Prospect, delivery: Delivery) -> Self {
        Self { hint_secs: 0, hint_nanos: NO_HINT, prospect, delivery }
    }

    pub(crate) const fn said(self) -> Said {
        Said { prospect: self.prospect, delivery: self.delivery }
    }

    /// The request never left the caller.
    pub const fn not_sent(mut self) -> Self {
        self.delivery = Delivery::NotSent;
        self
    }

    /// The server says that it did not act on the request.
    pub const fn refused(mut self) -> Self {
        self.delivery = Delivery::Refused;
        self
    }

    /// Nobody can say whether the server acted on the request.
    pub(crate) const fn unknown(mut self) -> Self {
        self.delivery = Delivery::Unknown;
        self
    }

    /// The server asks to be left alone for this long; zero asks for nothing.
    pub const fn retry_after(mut self, hint: Duration) -> Self {
        (self.hint_secs, self.hint_nanos) = (hint.as_secs(), hint.subsec_nanos());
        self
    }

    /// The same failure where it must not be repeated.
    pub(crate) const fn permanent(mut self) -> Self {
        self.prospect = Prospect::Permanent;
        self
    }

    /// Whether another attempt may succeed.
    #[must_use]
    #[inline]
    pub const fn is_retryable(self) -> bool {
        !matches!(self.prospect, Prospect::Permanent)
    }

    /// Whether the server asks for fewer requests.
    #[must_use]
    #[inline]
    pub const fn is_throttled(self) -> bool {
        matches!(self.prospect, Prospect::Throttled)
    }

    /// A short name for tables and metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self.prospect {
            Prospect::Transient => "transient",
            Prospect::Throttled => "throttled",
            Prospect::Permanent => "permanent",
        }
    }

    /// Whether the server may have acted on the request.
    #[must_use]
    #[inline]
    pub const fn delivery(self) -> Delivery {
        self.delivery
    }

    /// How long the server asks to be left alone.
    #[must_use]
    #[inline]
    pub const fn hint(self) -> Option<Duration> {
        match self.hint_nanos {
            NO_HINT => None,
            nanos => Some(Duration::new(self.hint_secs, nanos)),
        }
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "two of them are the hint")]
impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Class")
            .field("prospect", &self.prospect)
            .field("delivery", &self.delivery)
            .field("hint", &self.hint())
            .finish()
    }
}

/// Says of every failure what it means for trying again.
///
/// Derive it beside `thiserror::Error`; the derive does not compile while a variant is unmarked, so
/// that a new kind of failure cannot be retried, or not retried, by accident.
///
/// A failure is also `Debug`, as every standard error is, so that events can show it.
///
/// In `when = ...` a field stands by its name, or as `_0`, `_1` and so on in a tuple, and is a
/// reference. Several marks are tried in order; where none holds, the failure is permanent.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{Class, Classify, Stopped};
///
/// #[derive(Debug, thiserror::Error, Classify)]
/// enum PayError {
///     #[error("cannot connect")]
///     #[classify(transient, not_sent)]
///     Connect,
///     #[error("busy")]
///     #[classify(throttled, retry_after = wait)]
///     Busy { wait: Option<Duration> },
///     #[error("status {0}")]
///     #[classify(transient, when = *_0 >= 500)] // the first that holds counts
///     #[classify(permanent, refused)]
///     Status(u16),
///     #[error("the call was stopped")]
///     #[classify(stopped)]
///     Stopped(#[source] Stopped),
/// }
///
/// assert!(PayError::Status(503).classify().is_retryable());
/// assert_eq!(PayError::Status(404).classify(), Class::PERMANENT.refused());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which of its failures may be tried again",
    label = "this error type has to implement `Classify`",
    note = "mark its variants with `#[derive(Classify)]` and `#[classify(transient)]` or `#[classify(permanent)]`",
    note = "for a type of another crate, write `classify = path::to::function` in the attribute"
)]
pub trait Classify: fmt::Debug {
    /// What this failure means for trying again.
    fn classify(&self) -> Class;
}

impl<E: Classify + ?Sized> Classify for &E {
    fn classify(&self) -> Class {
        (**self).classify()
    }
}

impl<E: Classify + ?Sized> Classify for Box<E> {
    fn classify(&self) -> Class {
        (**self).classify()
    }
}

impl<E: Classify + ?Sized> Classify for Arc<E> {
    fn classify(&self) -> Class {
        (**self).classify()
    }
}

impl<E: Classify + ?Sized> Classify for Rc<E> {
    fn classify(&self) -> Class {
        (**self).classify()
    }
}

/// A field that `retry_after = FIELD` may name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a wait: `retry_after` names a field of type `Duration` or `Option<Duration>`",
    label = "expected a `Duration` or an `Option<Duration>`"
)]
pub trait Hint {
    /// The wait, if there is one.
    fn hint(&self) -> Option<Duration>;
}

impl Hint for Duration {
    fn hint(&self) -> Option<Duration> {
        Some(*self)
    }
}

impl Hint for Option<Duration> {
    fn hint(&self) -> Option<Duration> {
        *self
    }
}
