//! What the attribute accepts as a key.

use super::{IdempotencyKey, InvalidKey};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// What `idempotency_key = ...` accepts: a key, or what becomes one.
///
/// Texts do, UUIDs with the feature `uuid`, and the result of [`IdempotencyKey::of`] and
/// [`IdempotencyKey::new`]. Numbers do not: see [`IdempotencyKey::of`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an idempotency key, which has to be a text that is the same on every attempt",
    label = "expected a text, an `IdempotencyKey` or, with the feature `uuid`, a `Uuid`",
    note = "for an id, name the write as well, so that a refund of the same order has another key: `idempotency_key = IdempotencyKey::of(\"charge\", order.id)`"
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

/// A key that is still to be judged; one that is invalid ends the call with
/// [`Reason::InvalidKey`](crate::Reason::InvalidKey).
impl ToIdempotencyKey for Result<IdempotencyKey, InvalidKey> {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        self.clone()
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

impl ToIdempotencyKey for Cow<'_, str> {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        IdempotencyKey::new(self)
    }
}

#[cfg(feature = "uuid")]
impl ToIdempotencyKey for uuid::Uuid {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        IdempotencyKey::try_from(*self)
    }
}

impl<K: ToIdempotencyKey + ?Sized> ToIdempotencyKey for &K {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        (**self).to_idempotency_key()
    }
}

impl<K: ToIdempotencyKey + ?Sized> ToIdempotencyKey for Box<K> {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        (**self).to_idempotency_key()
    }
}

impl<K: ToIdempotencyKey + ?Sized> ToIdempotencyKey for Arc<K> {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        (**self).to_idempotency_key()
    }
}

impl<K: ToIdempotencyKey + ?Sized> ToIdempotencyKey for Rc<K> {
    fn to_idempotency_key(&self) -> Result<IdempotencyKey, InvalidKey> {
        (**self).to_idempotency_key()
    }
}
