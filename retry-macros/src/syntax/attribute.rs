//! What is said of an item in `#[...]`.

use super::{Row, row_of, visible_row_of};
use crate::tokens::{Part, Tokens};
use proc_macro2::{Delimiter, Group, TokenTree};

#[derive(Clone)]
pub(crate) struct Attribute {
    sign: TokenTree,
    brackets: Group,
    /// All between the brackets.
    inside: Vec<TokenTree>,
}

impl Attribute {
    /// `#[...]`, as many as stand there.
    pub(crate) fn outer(row: &mut Row<'_>) -> Vec<Self> {
        Self::all(row, false)
    }

    /// `#![...]`, as many as stand there: as if each stood in front of what it is about.
    pub(crate) fn inner(row: &mut Row<'_>) -> Vec<Self> {
        Self::all(row, true)
    }

    fn all(row: &mut Row<'_>, are_inner: bool) -> Vec<Self> {
        let mut attributes = Vec::new();
        while let Some(attribute) = Self::read(row, are_inner) {
            attributes.push(attribute);
        }
        attributes
    }

    fn read(row: &mut Row<'_>, is_inner: bool) -> Option<Self> {
        let mut behind = *row;
        let sign = behind.sign('#')?.clone();
        if is_inner {
            behind.sign('!')?;
        }
        let brackets = behind.group(Delimiter::Bracket)?.clone();
        *row = behind;
        let inside = visible_row_of(brackets.stream());
        Some(Self { sign, brackets, inside })
    }

    /// The name of the attribute.
    pub(crate) fn path(&self) -> &[TokenTree] {
        let mut row = Row::of(&self.inside);
        while row.is_at_name() || row.is_at(':') {
            row.next();
        }
        row.since(Row::of(&self.inside))
    }

    /// Whether it has this name, and no path before it.
    pub(crate) fn is(&self, name: &str) -> bool {
        matches!(self.path(), [TokenTree::Ident(only)] if only == name)
    }

    /// What stands in parentheses behind the name, if nothing else does.
    pub(crate) fn arguments(&self) -> Option<Vec<TokenTree>> {
        match self.inside.get(self.path().len()..)? {
            [TokenTree::Group(group)] => Some(row_of(group.stream())),
            _ => None,
        }
    }

    /// Whether this word stands anywhere in it.
    pub(crate) fn mentions(&self, word: &str) -> bool {
        self.brackets.to_string().contains(word)
    }
}

impl Part for &Attribute {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.push(self.sign.clone());
        tokens.push(self.brackets.clone());
    }
}
