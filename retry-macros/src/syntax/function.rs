//! A function up to its body.

use super::{Parameter, Row, Type, row_of};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, Ident, Span, TokenTree};

/// Visibility, words, name, generics, parameters, result and conditions.
pub(crate) struct Signature {
    /// All of it, as it was written.
    tokens: Vec<TokenTree>,
    /// At which of them the parameters stand.
    at: usize,
    pub(crate) constness: Option<Ident>,
    pub(crate) is_async: bool,
    /// The word `fn`.
    pub(crate) word: Ident,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returned: Option<Returned>,
}

pub(crate) struct Returned {
    /// Where the arrow stands.
    pub(crate) arrow: Span,
    pub(crate) ty: Type,
}

/// What stands there in place of a function, and where.
#[derive(Clone, Copy)]
pub(crate) enum NoFunction {
    Impl(Span),
    Trait(Span),
    Other(Span),
}

impl Signature {
    /// All these tokens.
    pub(crate) fn of(tokens: Vec<TokenTree>) -> Result<Self, NoFunction> {
        let mut row = Row::of(&tokens);
        row.visibility();
        let other = NoFunction::Other(row.span());
        let (mut constness, mut is_async) = (None, false);
        let word = loop {
            let Some(word) = row.name() else { return Err(other) };
            match word.to_string().as_str() {
                "fn" => break word.clone(),
                "async" => is_async = true,
                "const" => constness = Some(word.clone()),
                "unsafe" => {}
                "extern" => drop(row.literal()),
                "impl" => return Err(NoFunction::Impl(word.span())),
                "trait" => return Err(NoFunction::Trait(word.span())),
                _ => return Err(other),
            }
        };
        let Some(name) = row.name().cloned() else { return Err(other) };
        row.angles();
        let at = tokens.len() - row.rest().len();
        let Some(parentheses) = row.group(Delimiter::Parenthesis) else { return Err(other) };
        let parameters = parameters(&row_of(parentheses.stream()));
        let returned = Returned::read(row);
        Ok(Self { tokens, at, constness, is_async, word, name, parameters, returned })
    }

    /// All of it, with what was taken from the parameters.
    pub(crate) fn into_tokens(mut self) -> Tokens {
        if self.parameters.iter().any(|parameter| parameter.is_changed) {
            let inside = Tokens::of_each(&self.parameters);
            if let Some(parentheses) = self.tokens.get_mut(self.at) {
                *parentheses = inside.grouped(Delimiter::Parenthesis, parentheses.span());
            }
        }
        self.tokens.into()
    }

    /// `self`, if it has one.
    pub(crate) fn receiver(&self) -> Option<&Parameter> {
        self.parameters.first().filter(|first| first.receiver.is_some())
    }
}

fn parameters(tokens: &[TokenTree]) -> Vec<Parameter> {
    let mut row = Row::of(tokens);
    let mut parameters = Vec::new();
    while !row.is_empty() {
        parameters.push(Parameter::read(&mut row));
    }
    parameters
}

impl Returned {
    fn read(mut row: Row<'_>) -> Option<Self> {
        let arrow = row.span();
        if !row.signs(['-', '>']) {
            return None;
        }
        let ty = row.before(&|token| match token {
            TokenTree::Ident(word) => word == "where",
            TokenTree::Punct(sign) => sign.as_char() == ';',
            _ => false,
        });
        Some(Self { arrow, ty: Type::of(ty.rest()) })
    }
}
