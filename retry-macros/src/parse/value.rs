//! An expression that an argument is given.

use crate::plain;
use crate::tokens::Tokens;
use proc_macro2::TokenTree;
use syn::Expr;
use syn::parse::ParseStream;

/// What it is, and how it is written.
pub(crate) struct Value {
    pub(crate) expression: Expr,
    pub(crate) tokens: Tokens,
}

impl Value {
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        match plain(input)? {
            Some(plain) => Ok(plain),
            None => input.parse::<Expr>().map(Self::from),
        }
    }
}

impl From<Expr> for Value {
    fn from(expression: Expr) -> Self {
        Self { tokens: Tokens::of(&expression), expression }
    }
}

/// What stands before the next comma, if it is a plain expression.
fn plain(input: ParseStream<'_>) -> syn::Result<Option<Value>> {
    input.step(|cursor| {
        let (mut tokens, mut rest) = (Vec::new(), *cursor);
        while let Some((token, behind)) = rest.token_tree() {
            if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ',') {
                break;
            }
            tokens.push(token);
            rest = behind;
        }
        Ok(match plain::expression(&tokens) {
            Some(expression) => (Some(Value { expression, tokens: tokens.into() }), rest),
            None => (None, *cursor),
        })
    })
}
