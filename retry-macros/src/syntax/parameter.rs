//! A parameter of a function.

use super::{Attribute, Pattern, Row, Type};
use crate::tokens::{Part, Tokens};
use proc_macro2::{Ident, TokenTree};

pub(crate) struct Parameter {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: Pattern,
    /// What there is to say of it if it is `self`.
    pub(crate) receiver: Option<Receiver>,
    colon: Option<TokenTree>,
    /// None where `self` stands without one.
    pub(crate) ty: Option<Type>,
    comma: Option<TokenTree>,
    /// Whether it is no longer what was written.
    pub(super) is_changed: bool,
}

pub(crate) struct Receiver {
    /// `&self`.
    pub(crate) is_borrowed: bool,
    /// The name of the lifetime of the borrow.
    pub(crate) lifetime: Option<String>,
    /// The word `mut`.
    pub(crate) mutability: Option<Ident>,
}

impl Parameter {
    /// One parameter, and the comma behind it.
    pub(super) fn read(rest: &mut Row<'_>) -> Self {
        let mut row = rest.until(&[',']);
        let comma = rest.sign(',').cloned();
        let attributes = Attribute::outer(&mut row);
        let pattern = row.until(&[':']);
        let receiver = Receiver::read(pattern);
        let pattern = match receiver {
            // It binds nothing that could be named anew.
            Some(_) => Pattern::word(pattern.rest()),
            None => Pattern::of(pattern.rest()),
        };
        let colon = row.sign(':').cloned();
        let ty = colon.is_some().then(|| Type::of(row.rest()));
        Self { attributes, pattern, receiver, colon, ty, comma, is_changed: false }
    }

    /// Takes an attribute away.
    pub(crate) fn take(&mut self, name: &str) {
        while let Some(at) = self.attributes.iter().position(|attribute| attribute.is(name)) {
            self.attributes.remove(at);
            self.is_changed = true;
        }
    }

    /// Takes the `mut` from the names that are bound by value.
    pub(crate) fn take_mut(&mut self) {
        if let Some(pattern) = self.pattern.without_mut.take() {
            self.pattern.written = pattern;
            self.is_changed = true;
        }
    }
}

impl Part for &Parameter {
    fn add_to(self, tokens: &mut Tokens) {
        for attribute in &self.attributes {
            tokens.add(attribute);
        }
        tokens.add(self.pattern.written.as_slice());
        tokens.add(self.colon.clone());
        tokens.add(self.ty.as_ref());
        tokens.add(self.comma.clone());
    }
}

impl Receiver {
    /// `self`, be it behind `&`, a lifetime and `mut`.
    fn read(mut row: Row<'_>) -> Option<Self> {
        let is_borrowed = row.sign('&').is_some();
        let lifetime = row.lifetime().map(ToString::to_string);
        // Nearly always there is one name, which is then looked at once.
        let mutability = match row.rest() {
            [_, _] => row.word("mut").cloned(),
            _ => None,
        };
        match row.rest() {
            [TokenTree::Ident(name)] if name == "self" => {
                Some(Self { is_borrowed, lifetime, mutability })
            }
            _ => None,
        }
    }
}
