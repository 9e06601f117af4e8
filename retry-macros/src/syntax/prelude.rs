//! Statements that bind names, before a body.

use super::{Attribute, Binding, Pattern, Row};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, TokenTree};

#[derive(Default)]
pub(crate) struct Prelude {
    /// All of them, without the `mut` of the names.
    pub(crate) tokens: Tokens,
    pub(crate) bindings: Vec<Binding>,
}

impl Prelude {
    pub(crate) fn read(tokens: &[TokenTree]) -> Self {
        let mut prelude = Self::default();
        let mut row = Row::of(tokens);
        while !row.is_empty() {
            let start = row;
            Attribute::outer(&mut row);
            let is_let = row.word("let").is_some();
            prelude.tokens.add(row.since(start));
            if is_let {
                prelude.bind(Pattern::of(row.until(&[':', '=']).rest()));
            }
            let start = row;
            while row.next().is_some_and(|token| !is_end(token)) {}
            prelude.tokens.add(row.since(start));
        }
        prelude
    }

    /// What has a name of the generated kind stays as it is.
    fn bind(&mut self, pattern: Pattern) {
        let Pattern { mut bindings, written, without_mut } = pattern;
        let is_generated = |binding: &Binding| binding.name.to_string().starts_with("__");
        if bindings.iter().any(is_generated) {
            for binding in &mut bindings {
                binding.mutability = None;
            }
            self.tokens.add(written.as_slice());
        } else {
            self.tokens.add(without_mut.unwrap_or(written).as_slice());
        }
        self.bindings.append(&mut bindings);
    }
}

/// The end of a statement. A block within one is no harm: nothing behind it begins with `let`.
fn is_end(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => sign.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}
