//! The value that ties all attempts of one write together.

use crate::scope;
use std::fmt;
use std::sync::Arc;

/// One value per call, the same on every attempt, by which a server recognises a repeated write.
///
/// It is made of printable ASCII, so that it can be sent as the structured-field string that the
/// `Idempotency-Key` header of the IETF's HTTP API working group asks for. Keys of up to 38 bytes,
/// UUIDs among them, are held without allocation.
///
/// ```
/// use retry_runtime::IdempotencyKey;
///
/// let key = IdempotencyKey::new("order-4711")?;
/// assert_eq!(key.as_str(), "order-4711");
/// assert!(IdempotencyKey::new("").is_err());
/// assert!(IdempotencyKey::new("two\nlines").is_err());
/// # Ok::<(), retry_runtime::InvalidKey>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct IdempotencyKey(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Inline { length: u8, bytes: [u8; INLINE] },
    Shared(Arc<str>),
}

/// Room for a UUID with its hyphens and one pair of braces.
const INLINE: usize = 38;

/// Why a text cannot be an idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidKey {
    /// The text is empty, so that it would tie all writes together.
    Empty,
    /// The text has a character that a header cannot carry.
    NotPrintable,
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => {
                "the idempotency key is empty, so a server would take every write for the same one"
            }
            Self::NotPrintable => {
                "the idempotency key has a character outside printable ASCII, which no header carries"
            }
        })
    }
}

impl std::error::Error for InvalidKey {}

impl IdempotencyKey {
    /// A key with the given text.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] for an empty text, or one with anything but printable ASCII (0x20 to 0x7e).
    pub fn new(text: &str) -> Result<Self, InvalidKey> {
        if text.is_empty() {
            return Err(InvalidKey::Empty);
        }
        if !text.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) {
            return Err(InvalidKey::NotPrintable);
        }
        let mut bytes = [0; INLINE];
        Ok(Self(match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(room), Ok(length)) => {
                room.copy_from_slice(text.as_bytes());
                Repr::Inline { length, bytes }
            }
            _ => Repr::Shared(text.into()),
        }))
    }

    /// What stands in for a key that was refused; no attempt is made under it.
    pub(crate) fn absent() -> Self {
        Self(Repr::Inline { length: 0, bytes: [0; INLINE] })
    }

    /// The text of the key, never empty.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Inline { length, bytes } => bytes
                .get(..usize::from(*length))
                .and_then(|text| std::str::from_utf8(text).ok())
                .unwrap_or_default(),
            Repr::Shared(text) => text,
        }
    }
}

/// For a text that is known only at run time, such as in a file; see [`IdempotencyKey::new`].
impl TryFrom<String> for IdempotencyKey {
    type Error = InvalidKey;

    fn try_from(text: String) -> Result<Self, InvalidKey> {
        Self::new(&text)
    }
}

impl From<IdempotencyKey> for String {
    fn from(key: IdempotencyKey) -> Self {
        key.as_str().to_owned()
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IdempotencyKey").field(&self.as_str()).finish()
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl AsRef<str> for IdempotencyKey {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// What `idempotency_key = ...` accepts: a key, or a text that becomes one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an idempotency key, which has to be a text that is the same on every attempt",
    label = "expected a `&str`, a `String` or an `IdempotencyKey`",
    note = "turn it into a text first, such as `idempotency_key = order.id.to_string()`"
)]
pub trait ToIdempotencyKey {
    /// The key for one call; called once, before the first attempt.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] when the value cannot be a key; the call then ends before anything is sent.
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey>;
}

impl ToIdempotencyKey for IdempotencyKey {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        Ok(self.clone())
    }
}

impl ToIdempotencyKey for str {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        IdempotencyKey::new(self)
    }
}

impl ToIdempotencyKey for String {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        IdempotencyKey::new(self)
    }
}

impl<K: ToIdempotencyKey + ?Sized> ToIdempotencyKey for &K {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        (**self).to_idempotency_key()
    }
}

/// The key of the attempt that runs this code, or none outside a keyed call.
///
/// ```
/// assert!(retry_runtime::idempotency_key().is_none());
/// ```
#[must_use]
pub fn idempotency_key() -> Option<IdempotencyKey> {
    scope::with_current(|scope| scope.key().cloned()).flatten()
}
