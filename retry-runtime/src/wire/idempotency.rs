//! The `Idempotency-Key` header.
//!
//! Source: draft-ietf-httpapi-idempotency-key-header: a structured-field string, RFC 9651.

use crate::key::IdempotencyKey;
use http::HeaderValue;
use sfv::{BareItem, Item, ItemSerializer, Parser, StringRef};

/// The key between quotes; none for a key that is no such string, which [`IdempotencyKey`] excludes.
pub(super) fn encode(key: &IdempotencyKey) -> Option<HeaderValue> {
    let text = StringRef::from_str(key.as_str()).ok()?;
    HeaderValue::from_str(&ItemSerializer::new().bare_item(text).finish()).ok()
}

/// Reads the key between quotes, or as it stands: many clients are older than the draft.
pub(super) fn decode(value: &HeaderValue) -> Option<IdempotencyKey> {
    let text = value.to_str().ok()?;
    if !text.starts_with('"') {
        return IdempotencyKey::new(text).ok();
    }
    let item: Item = Parser::new(text).parse().ok()?;
    match item.bare_item {
        BareItem::String(text) => IdempotencyKey::new(text.as_str()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};
    use crate::IdempotencyKey;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_key_arrives_as_it_was_sent(text in "[ -~]{0,59}[!-~]") {
            let key = IdempotencyKey::new(&text).unwrap();
            let sent = encode(&key).unwrap();
            prop_assert_eq!(decode(&sent), Some(key));
        }
    }
}
