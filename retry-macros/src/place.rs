//! Where the compiler reports what it finds wrong with generated code: at the user's tokens.
//!
//! The span of an expression goes from its first token to its last. So generated tokens before the
//! user's get the span of the user's first token, and those behind get that of the last: the whole
//! expression then has the very span of what the user wrote, and the compiler, which reports the
//! same fault at the same place only once, reports it once.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// The stretch of some tokens of the user's.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    first: Span,
    last: Span,
}

impl Place {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut place = Self { first: Span::call_site(), last: Span::call_site() };
        for (at, token) in tokens.to_token_stream().into_iter().enumerate() {
            if at == 0 {
                place.first = first_span(&token);
            }
            place.last = last_span(&token);
        }
        place
    }

    /// `__retry::NAME`, where the tokens begin.
    pub(crate) fn path(self, name: &str) -> TokenStream {
        let (retry, name) = (Ident::new("__retry", self.first), Ident::new(name, self.first));
        quote_spanned! { self.first=> #retry::#name }
    }

    /// `__retry::NAME::<TYPE>`, at the place of the type.
    pub(crate) fn turbofish(self, name: &str, ty: &impl ToTokens) -> TokenStream {
        let path = self.path(name);
        let open = quote_spanned! { self.first=> #path::< };
        let close = quote_spanned! { self.last=> > };
        quote! { #open #ty #close }
    }

    /// `&EXPRESSION`, at the place of the expression.
    pub(crate) fn borrowed(self, expression: &impl ToTokens) -> TokenStream {
        let and = quote_spanned! { self.first=> & };
        quote! { #and #expression }
    }

    /// A generated name, where the tokens begin.
    pub(crate) fn name(self, name: &str) -> Ident {
        Ident::new(name, Span::mixed_site().located_at(self.first))
    }

    /// The tokens, of which the outermost take the span of the user's last.
    pub(crate) fn last(self, tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|mut token| {
                token.set_span(self.last);
                token
            })
            .collect()
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
