//! Numbers that are names: sixteen hexadecimal digits.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(super) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{number:016x}"))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_hex = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = is_hex.then(|| u64::from_str_radix(&text, 16).ok()).flatten();
    number.ok_or_else(|| D::Error::custom("expected sixteen hexadecimal digits"))
}

/// The same where there may be none.
pub(super) mod option {
    use super::{Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde asks for it")]
    pub(in super::super) fn serialize<S: Serializer>(
        number: &Option<u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => super::serialize(number, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}
