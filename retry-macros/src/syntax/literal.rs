//! The text of a literal.

use proc_macro2::Literal;

/// What stands between the quotes of a string, be it a raw one; none of any other literal.
pub(crate) fn text(literal: &Literal) -> Option<String> {
    let literal = literal.to_string();
    let quoted = match literal.strip_prefix('r') {
        Some(raw) => raw.trim_matches('#'),
        None => literal.as_str(),
    };
    Some(quoted.strip_prefix('"')?.rsplit_once('"')?.0.to_owned())
}
