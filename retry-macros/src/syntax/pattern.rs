//! A pattern, by the names that it binds.

use super::{Attribute, Path, Row, row_of};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, Group, Ident, TokenTree};

/// A name that a pattern binds by value.
pub(crate) struct Binding {
    pub(crate) name: Ident,
    /// The word `mut`.
    pub(crate) mutability: Option<Ident>,
}

pub(crate) struct Pattern {
    /// In order.
    pub(crate) bindings: Vec<Binding>,
    /// The tokens as they were.
    pub(crate) written: Vec<TokenTree>,
    /// The tokens without the `mut` of these names, if there is one.
    pub(crate) without_mut: Option<Vec<TokenTree>>,
}

impl Pattern {
    /// A word that is no pattern of the user's, such as `self`.
    pub(super) fn word(tokens: &[TokenTree]) -> Self {
        Self { bindings: Vec::new(), written: tokens.to_vec(), without_mut: None }
    }

    pub(crate) fn of(tokens: &[TokenTree]) -> Self {
        let mut pattern = Self::word(tokens);
        match tokens {
            // Nearly always.
            [TokenTree::Ident(name)] if is_name(Row::of(tokens)) => {
                pattern.bindings.push(Binding { name: name.clone(), mutability: None });
            }
            _ => {
                let mut reader = Reader { bindings: Vec::new() };
                let without_mut = reader.pattern(Row::of(tokens));
                pattern.bindings = reader.bindings;
                let is_mutable = |binding: &Binding| binding.mutability.is_some();
                pattern.without_mut =
                    pattern.bindings.iter().any(is_mutable).then_some(without_mut);
            }
        }
        pattern
    }

    /// `ref mut NAME`.
    pub(crate) fn borrows_mutably(&self) -> bool {
        matches!(self.written.as_slice(), [TokenTree::Ident(first), TokenTree::Ident(second), ..]
            if first == "ref" && second == "mut")
    }
}

/// Collects names while it copies the tokens.
struct Reader {
    bindings: Vec<Binding>,
}

impl Reader {
    /// One pattern, without the `mut` of its names.
    fn pattern(&mut self, mut row: Row<'_>) -> Vec<TokenTree> {
        let start = row;
        row.until(&['|']);
        let has_alternatives = !row.is_empty();
        row = start;
        if has_alternatives {
            // A name that several of them bind has no one place.
            return start.rest().to_vec();
        }
        while row.sign('&').is_some() {
            // That of the reference, which stays.
            row.word("mut");
        }
        let mut written = row.since(start).to_vec();
        if row.is_at_word("mut") || is_name(row) {
            let mutability = row.word("mut").cloned();
            let Some(name) = row.name().cloned() else { return start.rest().to_vec() };
            written.push(name.clone().into());
            self.bindings.push(Binding { name, mutability });
            if let Some(at) = row.sign('@') {
                written.push(at.clone());
                written.append(&mut self.pattern(row));
                return written;
            }
        } else if let [before @ .., TokenTree::Group(group)] = row.rest() {
            if is_path(before) {
                written.extend_from_slice(before);
                written.push(self.group(group));
                return written;
            }
        }
        written.extend_from_slice(row.rest());
        written
    }

    /// The patterns in a group.
    fn group(&mut self, group: &Group) -> TokenTree {
        let inside = row_of(group.stream());
        let mut row = Row::of(&inside);
        let mut written = Vec::with_capacity(inside.len());
        while !row.is_empty() {
            let piece = row.until(&[',']);
            let mut pattern = match group.delimiter() {
                Delimiter::Brace => self.field(piece),
                _ => self.pattern(piece),
            };
            written.append(&mut pattern);
            if let Some(comma) = row.sign(',') {
                written.push(comma.clone());
            }
        }
        Tokens::from(written).grouped(group.delimiter(), group.span())
    }

    /// `FIELD: PATTERN`, or a field that is bound to its own name.
    fn field(&mut self, mut row: Row<'_>) -> Vec<TokenTree> {
        let start = row;
        Attribute::outer(&mut row);
        let short = row;
        row.until(&[':']);
        if row.sign(':').is_none() {
            row = short;
        }
        let mut written = row.since(start).to_vec();
        written.append(&mut self.pattern(row));
        written
    }
}

/// Whether a name stands here that the pattern binds, or that is a constant: nobody can tell.
fn is_name(row: Row<'_>) -> bool {
    const WORDS: &[&str] = &["_", "ref", "box", "const", "true", "false", "Self", "super", "crate"];
    match row.rest() {
        [TokenTree::Ident(name), rest @ ..] => {
            let is_whole = match rest {
                [] => true,
                [TokenTree::Punct(sign), ..] => sign.as_char() == '@',
                _ => false,
            };
            is_whole && !WORDS.contains(&name.to_string().as_str())
        }
        _ => false,
    }
}

/// Whether this can be the name of what is taken apart, or is nothing.
fn is_path(before: &[TokenTree]) -> bool {
    let mut row = Row::of(before);
    let is_word = row.is_at_word("box") || row.is_at_word("const");
    before.is_empty() || !is_word && Path::read(&mut row).is_some() && row.is_empty()
}
