//! Where the compiler reports what it finds wrong with generated code: at the user's tokens.
//!
//! The span of an expression goes from its first token to its last. So generated tokens before the
//! user's get the span of the user's first token, and those behind get that of the last: the whole
//! expression then has the very span of what the user wrote, and the compiler, which reports the
//! same fault at the same place only once, reports it once.

use crate::tokens::Tokens;
use proc_macro2::{Delimiter, Ident, Span, TokenTree};

/// The stretch of some tokens of the user's.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    first: Span,
    last: Span,
}

impl Place {
    pub(crate) fn of(tokens: &Tokens) -> Self {
        let (first, last) = match tokens.as_slice() {
            [] => (Span::call_site(), Span::call_site()),
            [only] => (first_span(only), last_span(only)),
            [first, .., last] => (first_span(first), last_span(last)),
        };
        Self { first, last }
    }

    /// `__retry::NAME`, where the tokens begin.
    pub(crate) fn path(self, name: &str) -> Tokens {
        let mut path = Tokens::new();
        path.push(Ident::new("__retry", self.first));
        path.colons(self.first);
        path.push(Ident::new(name, self.first));
        path
    }

    /// `__retry::NAME::<TYPE>`, at the place of the type.
    pub(crate) fn turbofish(self, name: &str, ty: &Tokens) -> Tokens {
        let mut path = self.path(name);
        path.colons(self.first);
        path.sign('<', self.first);
        path.add(ty);
        path.sign('>', self.last);
        path
    }

    /// `&EXPRESSION`, at the place of the expression.
    pub(crate) fn borrowed(self, expression: Tokens) -> Tokens {
        let mut borrowed = Tokens::new();
        borrowed.sign('&', self.first);
        borrowed.add(expression);
        borrowed
    }

    /// A generated name, where the tokens begin.
    pub(crate) fn name(self, name: &str) -> Ident {
        Ident::new(name, Span::mixed_site().located_at(self.first))
    }

    /// The tokens, of which the outermost take the span of the user's last.
    pub(crate) fn last(self, tokens: Tokens) -> Tokens {
        tokens.at(self.last)
    }
}

/// An invisible group, as `macro_rules!` makes them, begins and ends where its content does.
fn first_span(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next().map_or(group.span(), |token| first_span(&token))
        }
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

fn last_span(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().last().map_or(group.span(), |token| last_span(&token))
        }
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    }
}
