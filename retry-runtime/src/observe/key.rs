//! The idempotency key in events: as it is, or hashed.

use crate::key::IdempotencyKey;
use std::fmt;

/// The idempotency key of a call, as its events show it.
///
/// A downstream chooses by [`Downstream::hashed_keys`](crate::Downstream::hashed_keys).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKey<'e> {
    /// The key itself.
    Plain(&'e IdempotencyKey),
    /// The FNV-1a hash of its text, the same in every process and release.
    ///
    /// It tells keys apart without showing them. It is no secret: whoever guesses a key can check it.
    Hashed(u64),
}

impl<'e> EventKey<'e> {
    pub(crate) fn of(key: &'e IdempotencyKey, hashed: bool) -> Self {
        if hashed { Self::Hashed(fnv_1a(key.as_str().as_bytes())) } else { Self::Plain(key) }
    }
}

/// The text of the key, or the hash as `#` and 16 hexadecimal digits.
impl fmt::Display for EventKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(key) => key.fmt(f),
            Self::Hashed(hash) => write!(f, "#{hash:016x}"),
        }
    }
}

/// The 64-bit hash of Fowler, Noll and Vo, with the constants of RFC 9923.
pub(super) fn fnv_1a(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // Of the test vectors of its authors.
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_key_is_shown_or_hashed() {
        let key = IdempotencyKey::new("foobar").unwrap();
        assert_eq!(EventKey::of(&key, false).to_string(), "foobar");
        assert_eq!(EventKey::of(&key, true).to_string(), "#85944171f73967e8");
    }
}
