//! A type, by what it looks like.

use super::{Path, Row, row_of};
use crate::tokens::{Part, Tokens};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};

/// The tokens of a type.
#[derive(Clone)]
pub(crate) struct Type(Vec<TokenTree>);

/// What a type looks like, one level deep.
pub(crate) enum Shape {
    /// The name of its lifetime, whether it is `&mut`, and what is borrowed.
    Reference(Option<String>, bool, Type),
    /// `impl` or `dyn`, and the traits.
    Bounds(Vec<Path>),
    Path(Path),
    /// Also the unit.
    Tuple(Vec<Type>),
    /// What stands in parentheses, or in a group that cannot be seen.
    Group(Type),
    /// The elements of a slice or of an array.
    Slice(Type),
    Other,
}

impl Type {
    pub(crate) fn of(tokens: &[TokenTree]) -> Self {
        Self(tokens.to_vec())
    }

    pub(crate) fn as_slice(&self) -> &[TokenTree] {
        &self.0
    }

    /// All of it, where the compiler can say so; else, where it begins.
    pub(crate) fn span(&self) -> Span {
        match self.0.as_slice() {
            [] => Span::call_site(),
            [only] => only.span(),
            [first, .., last] => first.span().join(last.span()).unwrap_or(first.span()),
        }
    }

    pub(crate) fn is_reference(&self) -> bool {
        Row::of(&self.0).is_at('&')
    }

    pub(crate) fn is_impl(&self) -> bool {
        Row::of(&self.0).is_at_word("impl")
    }

    pub(crate) fn is_unit(&self) -> bool {
        match self.0.as_slice() {
            [TokenTree::Group(group)] => {
                group.delimiter() == Delimiter::Parenthesis && group.stream().is_empty()
            }
            _ => false,
        }
    }

    pub(crate) fn is_never(&self) -> bool {
        matches!(self.0.as_slice(), [TokenTree::Punct(sign)] if sign.as_char() == '!')
    }

    /// Whether a borrow stands in it, at any depth.
    pub(crate) fn mentions_reference(&self) -> bool {
        self.0.iter().any(|token| token.to_string().contains('&'))
    }

    pub(crate) fn shape(&self) -> Shape {
        let mut row = Row::of(&self.0);
        if row.sign('&').is_some() {
            let lifetime = row.lifetime().map(ToString::to_string);
            let is_mutable = row.word("mut").is_some();
            return Shape::Reference(lifetime, is_mutable, Self::of(row.rest()));
        }
        if let [TokenTree::Group(group)] = self.0.as_slice() {
            return Shape::of_group(group);
        }
        if row.word("impl").is_some() || row.word("dyn").is_some() || row.is_at('\'') {
            return Shape::Bounds(bounds(row));
        }
        let has_lifetimes = row.word("for").is_some() && row.angles().is_some();
        match Path::read(&mut row) {
            Some(path) if row.is_empty() && !has_lifetimes => Shape::Path(path),
            // An old way to write `dyn`.
            Some(_) if row.is_empty() || row.is_at('+') => Shape::Bounds(bounds(Row::of(&self.0))),
            _ => Shape::Other,
        }
    }

    /// The path that it is.
    pub(crate) fn path(&self) -> Option<Path> {
        match self.shape() {
            Shape::Path(path) => Some(path),
            Shape::Group(inner) => inner.path(),
            _ => None,
        }
    }

    /// The type with `_` for every `impl Trait`, which cannot be written inside a function.
    pub(crate) fn without_impl(&self) -> Tokens {
        if has_impl(&self.0) { erased(&self.0).into() } else { self.0.clone().into() }
    }
}

impl Shape {
    fn of_group(group: &Group) -> Self {
        let inside = row_of(group.stream());
        let mut row = Row::of(&inside);
        match group.delimiter() {
            Delimiter::None => Self::Group(Type(inside)),
            Delimiter::Bracket => Self::Slice(Type::of(row.until(&[';']).rest())),
            Delimiter::Parenthesis => {
                let mut elements = Vec::new();
                while let Some(element) = row.piece(',') {
                    if element.rest().len() == inside.len() {
                        return Self::Group(Type(inside));
                    }
                    elements.push(Type::of(element.rest()));
                }
                Self::Tuple(elements)
            }
            Delimiter::Brace => Self::Other,
        }
    }
}

/// The traits between `+`.
fn bounds(mut row: Row<'_>) -> Vec<Path> {
    let mut bounds = Vec::new();
    while let Some(mut bound) = row.piece('+') {
        let inside;
        if let [TokenTree::Group(parentheses)] = bound.rest() {
            inside = row_of(parentheses.stream());
            bound = Row::of(&inside);
        }
        bound.sign('?');
        if bound.word("for").is_some() {
            bound.angles();
        }
        match Path::read(&mut bound) {
            Some(path) if bound.is_empty() => bounds.push(path),
            // A lifetime.
            _ => {}
        }
    }
    bounds
}

/// Whether `impl` stands anywhere, so that there is something to do.
fn has_impl(tokens: &[TokenTree]) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => has_impl(&row_of(group.stream())),
        _ => false,
    })
}

fn erased(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let mut written = Vec::with_capacity(tokens.len());
    let mut row = Row::of(tokens);
    while let Some(token) = row.next() {
        match token {
            TokenTree::Ident(word) if word == "impl" => {
                row.until(&[',', ';', '>']);
                written.push(Ident::new("_", Span::call_site()).into());
            }
            TokenTree::Group(group) => {
                let inside = Tokens::from(erased(&row_of(group.stream())));
                written.push(inside.grouped(group.delimiter(), group.span()));
            }
            other => written.push(other.clone()),
        }
    }
    written
}

impl Part for &Type {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.add(self.as_slice());
    }
}
