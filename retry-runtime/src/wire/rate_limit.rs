//! The `RateLimit` header: what is left of a quota, and when there is more.
//!
//! Source: draft-ietf-httpapi-ratelimit-headers, a list of items with the parameters `r` and `t`.

use super::names::RATE_LIMIT;
use http::HeaderMap;
use sfv::{BareItem, Key, List, ListEntry, Parameters, Parser};
use std::time::Duration;

/// How long until every quota that is used up has something left; none if none is.
pub(super) fn wait(headers: &HeaderMap) -> Option<Duration> {
    let mut wait = None;
    for value in headers.get_all(RATE_LIMIT) {
        // What is malformed is ignored, as the draft asks.
        let Ok(list) = Parser::new(value.as_bytes()).parse::<List>() else { continue };
        for entry in &list {
            if let ListEntry::Item(item) = entry {
                wait = wait.max(until_refill(&item.params));
            }
        }
    }
    wait
}

fn until_refill(parameters: &Parameters) -> Option<Duration> {
    let remaining = integer(parameters, "r")?;
    let seconds = integer(parameters, "t")?;
    (remaining == 0).then(|| Duration::from_secs(seconds))
}

fn integer(parameters: &Parameters, name: &str) -> Option<u64> {
    let name = Key::from_string(name.to_owned()).ok()?;
    match parameters.get(&name)? {
        BareItem::Integer(number) => u64::try_from(i64::from(*number)).ok(),
        _ => None,
    }
}
