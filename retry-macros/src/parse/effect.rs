//! What repeating the function does, as the user says.

use super::{Value, reason, value};
use crate::diag::{self, Mistake};
use crate::syntax::Row;
use proc_macro2::Ident;

/// One effect, and the word for it.
pub(crate) struct Effect {
    pub(crate) word: Ident,
    pub(crate) kind: EffectKind,
}

pub(crate) enum EffectKind {
    Idempotent {
        /// A reason was given, which answers every doubt.
        vouched: bool,
    },
    Keyed(Box<Value>),
    Once,
}

impl EffectKind {
    /// The word comes with its text.
    pub(super) fn parse_after(
        word: &Ident,
        written: &str,
        row: &mut Row<'_>,
    ) -> Result<Self, Mistake> {
        if written == "idempotency_key" {
            let key = value(row, word, "idempotency_key = order.key")?;
            return Ok(Self::Keyed(Box::new(key)));
        }
        let has_value = row.is_at('=');
        if written == "once" {
            return if has_value {
                Err(diag::VALUE_UNEXPECTED.at(word, &["once"]))
            } else {
                Ok(Self::Once)
            };
        }
        if has_value {
            reason(row, word)?;
        }
        Ok(Self::Idempotent { vouched: has_value })
    }
}
