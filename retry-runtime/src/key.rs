//! The value that ties all attempts of one write together.

mod accept;

pub use accept::ToIdempotencyKey;

use crate::scope;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// One value per call, the same on every attempt, by which a server recognises a repeated write.
///
/// It is made of printable ASCII, so that it can be sent as the structured-field string that the
/// `Idempotency-Key` header of the IETF's HTTP API working group asks for. Keys of up to 38 bytes,
/// UUIDs among them, are held without allocation.
///
/// The best key is made with the thing that is written, and stored with it: then it is the same
/// when a person, or another process after a crash, tries the same write again.
///
/// ```
/// use retry_runtime::IdempotencyKey;
///
/// let key = IdempotencyKey::of("charge", 4711)?;
/// assert_eq!(key.as_str(), "charge:4711");
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
    /// The text is empty or nothing but spaces, so that it would tie all writes together.
    Empty,
    /// The text has a character that a header cannot carry.
    NotPrintable,
    /// The name of the write has a colon, which separates it from the id.
    Colon,
    /// The UUID is nil, as one is that was never set: it would tie all writes together.
    #[cfg(feature = "uuid")]
    Nil,
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
            Self::Colon => {
                "the name of the write in an idempotency key has a colon, where the id begins"
            }
            #[cfg(feature = "uuid")]
            Self::Nil => {
                "the idempotency key is the nil UUID, so a server would take every write for the same one"
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
    /// [`InvalidKey`] for an empty or blank text, or one with anything but printable ASCII (0x20 to
    /// 0x7e).
    pub fn new(text: &str) -> Result<Self, InvalidKey> {
        if text.bytes().all(|byte| byte == b' ') {
            return Err(InvalidKey::Empty);
        }
        // All of them are looked at, which takes less time than to look for the first.
        if !text.bytes().fold(true, |printable, byte| printable & matches!(byte, 0x20..=0x7e)) {
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

    /// The key of one kind of write for the thing with this id, such as `charge:4711`.
    ///
    /// An id by itself is the same for every write that has to do with the thing: a server would
    /// take the refund of an order for its charge, and answer with that.
    ///
    /// ```
    /// use retry_runtime::{IdempotencyKey, Policy, idempotency_key, retry};
    /// use std::time::Duration;
    ///
    /// const THREE: Policy = Policy::fixed(Duration::from_millis(1)).deadline(Duration::from_secs(1));
    ///
    /// #[retry(policy = THREE, idempotency_key = IdempotencyKey::of("refund", order))]
    /// async fn refund(order: u64) -> std::io::Result<Option<String>> {
    ///     Ok(idempotency_key().map(|key| key.to_string()))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// assert_eq!(refund(4711).await.unwrap().unwrap(), "refund:4711");
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] if the name or the id is empty, blank or not printable, or the name has a colon.
    pub fn of(write: &str, id: impl fmt::Display) -> Result<Self, InvalidKey> {
        if write.contains(':') {
            return Err(InvalidKey::Colon);
        }
        let id = id.to_string();
        Self::new(write)?;
        Self::new(&id)?;
        Self::new(&format!("{write}:{id}"))
    }

    /// What stands in for a key that was refused, or for none: its text is empty.
    pub(crate) const ABSENT: Self = Self(Repr::Inline { length: 0, bytes: [0; INLINE] });

    #[inline]
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self.0, Repr::Inline { length: 0, .. })
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

impl FromStr for IdempotencyKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        Self::new(text)
    }
}

/// Fails for the nil UUID alone; needs the feature `uuid`.
#[cfg(feature = "uuid")]
impl TryFrom<uuid::Uuid> for IdempotencyKey {
    type Error = InvalidKey;

    fn try_from(id: uuid::Uuid) -> Result<Self, InvalidKey> {
        if id.is_nil() {
            return Err(InvalidKey::Nil);
        }
        Self::new(id.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()))
    }
}

/// The key of the attempt that runs this code, or none outside a keyed call.
///
/// ```
/// assert!(retry_runtime::idempotency_key().is_none());
/// ```
#[must_use]
pub fn idempotency_key() -> Option<IdempotencyKey> {
    scope::current_key()
}

#[cfg(all(test, feature = "uuid"))]
mod tests {
    use super::{IdempotencyKey, InvalidKey, ToIdempotencyKey};
    use uuid::Uuid;

    #[test]
    fn a_uuid_is_a_key_in_its_usual_form_and_the_nil_one_is_none() {
        let id = Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8);
        let key = id.to_idempotency_key().unwrap();
        assert_eq!(key.as_str(), "67e55044-10b1-426f-9247-bb680e5fe0c8");
        assert_eq!(IdempotencyKey::of("charge", id).unwrap().as_str(), format!("charge:{id}"));
        assert_eq!(Uuid::nil().to_idempotency_key(), Err(InvalidKey::Nil));
    }
}
