//! An expression that an argument is given.

use crate::syntax::{Kind, Row};
use crate::tokens::Tokens;

/// How it holds together, and how it is written.
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) tokens: Tokens,
}

impl Value {
    pub(crate) fn read(row: &mut Row<'_>) -> Option<Self> {
        let start = *row;
        let kind = Kind::read(row)?;
        Some(Self { kind, tokens: row.since(start).to_vec().into() })
    }
}
