//! What is said of an item in `#[...]`.

use super::{Row, row_of};
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
        let mut attributes = Vec::new();
        while let [sign @ TokenTree::Punct(_), TokenTree::Group(_), ..] = row.rest() {
            let mut behind = *row;
            behind.next();
            match behind.group(Delimiter::Bracket) {
                Some(brackets) if row.is_at('#') => attributes.push(Self::new(sign, brackets)),
                _ => break,
            }
            *row = behind;
        }
        attributes
    }

    /// `#![...]`, as many as stand there: as if each stood in front of what it is about.
    pub(crate) fn inner(row: &mut Row<'_>) -> Vec<Self> {
        let mut attributes = Vec::new();
        while let [sign @ TokenTree::Punct(_), TokenTree::Punct(_), ..] = row.rest() {
            let mut behind = *row;
            behind.sign('#');
            match (behind.sign('!'), behind.group(Delimiter::Bracket)) {
                (Some(_), Some(brackets)) if row.is_at('#') => {
                    attributes.push(Self::new(sign, brackets));
                }
                _ => break,
            }
            *row = behind;
        }
        attributes
    }

    fn new(sign: &TokenTree, brackets: &Group) -> Self {
        let inside = row_of(brackets.stream());
        Self { sign: sign.clone(), brackets: brackets.clone(), inside }
    }

    /// The name of the attribute.
    pub(crate) fn path(&self) -> &[TokenTree] {
        let is_part = |token: &TokenTree| match token {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(sign) => sign.as_char() == ':',
            _ => false,
        };
        let end = self.inside.iter().position(|token| !is_part(token));
        self.inside.get(..end.unwrap_or(self.inside.len())).unwrap_or_default()
    }

    /// Whether it has this name, and no path before it.
    pub(crate) fn is(&self, name: &str) -> bool {
        matches!(self.path(), [TokenTree::Ident(only)] if only == name)
    }

    /// What stands in parentheses behind the name, if nothing else does.
    pub(crate) fn arguments(&self) -> Option<Vec<TokenTree>> {
        match self.inside.get(self.path().len()..)? {
            [TokenTree::Group(group)] => Some(group.stream().into_iter().collect()),
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
