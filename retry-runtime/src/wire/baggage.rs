//! The entries of `baggage` that belong to this crate.
//!
//! Source: W3C Baggage: a list of `key=value`, each with properties behind a semicolon.

use super::names::BAGGAGE;
use crate::scope::root;
use http::header::{Entry, HeaderMap, HeaderValue};

const ROOT: &str = "retry-root";
const OWNER: &str = "retry-owner";
const LIMIT: &str = "retry-limit";

/// What `retry-owner` says: the caller retries, so the server must not.
const CALLER: &str = "caller";

/// What the baggage says of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entries {
    pub(super) root: Option<u64>,
    pub(super) owned: bool,
    pub(super) limit: Option<u32>,
    /// How many entries of ours said nothing that could be understood.
    pub(super) nonsense: u64,
}

pub(super) fn read(headers: &HeaderMap) -> Entries {
    let mut entries = Entries::default();
    for value in headers.get_all(BAGGAGE) {
        let Ok(text) = value.to_str() else {
            entries.nonsense += 1;
            continue;
        };
        for member in text.split(',') {
            entries.note(member);
        }
    }
    entries
}

impl Entries {
    fn note(&mut self, member: &str) {
        let (name, value) = split(member);
        let understood = match name {
            ROOT => root::read(value).map(|root| self.root = Some(root)).is_some(),
            OWNER if value == CALLER => {
                self.owned = true;
                true
            }
            LIMIT => match value.parse() {
                Ok(limit @ 1..) => {
                    self.limit = Some(limit);
                    true
                }
                _ => false,
            },
            _ => !is_ours(name),
        };
        self.nonsense += u64::from(!understood);
    }
}

/// Puts ours in place of what an earlier hop said, and leaves the entries of others alone.
pub(super) fn write(headers: &mut HeaderMap, root: u64, owned: bool, limit: Option<u32>) {
    let caller = if owned { format!(",{OWNER}={CALLER}") } else { String::new() };
    let limit = limit.map_or_else(String::new, |limit| format!(",{LIMIT}={limit}"));
    let root = root::write(root);
    let ours = format!("{ROOT}={root}{caller}{limit}");
    let kept = others(headers);
    if let Entry::Occupied(before) = headers.entry(BAGGAGE) {
        before.remove_entry_mult();
    }
    for value in kept {
        headers.append(BAGGAGE, value);
    }
    // Digits and letters are a value in any header.
    if let Ok(ours) = HeaderValue::try_from(ours) {
        headers.append(BAGGAGE, ours);
    }
}

fn others(headers: &HeaderMap) -> Vec<HeaderValue> {
    let keep = |value: &HeaderValue| {
        let Ok(text) = value.to_str() else { return Some(value.clone()) };
        let members: Vec<_> = text.split(',').filter(|member| !is_ours(split(member).0)).collect();
        if members.is_empty() { None } else { HeaderValue::try_from(members.join(",")).ok() }
    };
    headers.get_all(BAGGAGE).iter().filter_map(keep).collect()
}

fn split(member: &str) -> (&str, &str) {
    let (entry, _properties) = member.split_once(';').unwrap_or((member, ""));
    let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
    (name.trim(), value.trim())
}

fn is_ours(name: &str) -> bool {
    matches!(name, ROOT | OWNER | LIMIT)
}
