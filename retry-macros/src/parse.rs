//! The arguments of the attribute, as they were written.

mod allowed;
mod effect;
mod slot;
mod value;

pub(crate) use allowed::Rules;
pub(crate) use effect::{Effect, EffectKind};
pub(crate) use slot::Slot;
pub(crate) use value::Value;

use crate::diag::{self, Mistakes, nearest, suggestion};
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, LitStr, Path, Token, parenthesized};

/// What stands between the parentheses of `#[retry(...)]`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) policy: Slot<Value>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) downstream: Slot<Value>,
    pub(crate) deadline: Slot<Value>,
    pub(crate) classify: Slot<Value>,
    pub(crate) reconcile: Slot<Value>,
    pub(crate) clone: Slot<Vec<Ident>>,
    pub(crate) allow: Slot<Rules>,
    pub(crate) krate: Slot<Path>,
    /// The words that were written, or were probably meant, whether their values could be read or
    /// not: what was attempted is not reported as missing too.
    attempted: Vec<&'static str>,
}

const ARGUMENTS: &[&str] = &[
    "policy",
    "idempotent",
    "idempotency_key",
    "once",
    "downstream",
    "deadline",
    "classify",
    "reconcile",
    "clone",
    "allow",
    "crate",
];

/// What people look for here and find on the policy.
const SETTINGS: &[&str] = &[
    "max_attempts",
    "attempts",
    "retries",
    "max_retries",
    "base",
    "cap",
    "multiplier",
    "jitter",
    "attempt_timeout",
    "timeout",
    "max_retry_after",
    "backoff",
];

impl Arguments {
    /// Reads what it can: a mistake in one argument does not hide the next.
    pub(crate) fn parse(tokens: TokenStream, mistakes: &mut Mistakes) -> Self {
        let mut arguments = Self::default();
        let result = Parser::parse2(
            |input: ParseStream<'_>| {
                arguments.read(input, mistakes);
                Ok(())
            },
            tokens,
        );
        if let Err(error) = result {
            mistakes.push(error);
        }
        arguments
    }

    pub(crate) fn attempted(&self, words: &[&str]) -> bool {
        self.attempted.iter().any(|attempted| words.contains(attempted))
    }

    fn read(&mut self, input: ParseStream<'_>, mistakes: &mut Mistakes) {
        while !input.is_empty() {
            if let Err(error) = self.read_one(input, mistakes) {
                mistakes.push(error);
                skip_argument(input);
            }
            if !input.is_empty() && !input.peek(Token![,]) {
                mistakes.push(diag::COMMA_EXPECTED.at_span(input.span(), &[]));
                // A word that follows is read all the same.
                if !input.peek(Ident::peek_any) {
                    skip_argument(input);
                }
            }
            let _comma: Result<Option<Token![,]>, _> = input.parse();
        }
    }

    fn read_one(&mut self, input: ParseStream<'_>, mistakes: &mut Mistakes) -> syn::Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(diag::ARGUMENT_EXPECTED.at_span(input.span(), &[]));
        }
        let word = Ident::parse_any(input)?;
        let written = word.to_string();
        if let Some(meant) = nearest(&written, ARGUMENTS) {
            self.attempted.push(meant);
        }
        match written.as_str() {
            "policy" => self.policy.set(&word, value(input, &word, "policy = CHECKOUT")?, mistakes),
            "downstream" => {
                let downstream = value(input, &word, "downstream = PAYMENTS")?;
                self.downstream.set(&word, downstream, mistakes);
            }
            "deadline" => {
                let deadline = value(input, &word, "deadline = request.deadline")?;
                self.deadline.set(&word, deadline, mistakes);
            }
            "classify" => {
                let classify = value(input, &word, "classify = path::to::function")?;
                self.classify.set(&word, classify, mistakes);
            }
            "reconcile" => {
                let reconcile = value(input, &word, "reconcile = path::to::function")?;
                self.reconcile.set(&word, reconcile, mistakes);
            }
            "crate" => {
                let path = value_of(input, &word, "crate = path::to::retry_runtime", Path::parse)?;
                self.krate.set(&word, path, mistakes);
            }
            "clone" => {
                let names = list(input, &word, "clone(parameter)", mistakes, name)?;
                self.clone.set(&word, names, mistakes);
            }
            "allow" => {
                let rules = Rules::parse_after(&word, input, mistakes)?;
                self.allow.set(&word, rules, mistakes);
            }
            "idempotent" | "once" | "idempotency_key" => {
                let kind = EffectKind::parse_after(&word, &written, input)?;
                self.effects.push(Effect { word, kind });
            }
            other => return Err(self.unknown(&word, other, input)),
        }
        Ok(())
    }

    fn unknown(&mut self, word: &Ident, written: &str, input: ParseStream<'_>) -> syn::Error {
        if SETTINGS.contains(&written) {
            return diag::SETTING_OF_THE_POLICY.at(word, &[written]);
        }
        let has_value = input.peek(Token![=]) || input.peek(syn::token::Paren);
        if !has_value && nearest(written, ARGUMENTS).is_none() {
            self.attempted.push("policy");
            return diag::POLICY_WITHOUT_ITS_NAME.at(word, &[written]);
        }
        diag::UNKNOWN_ARGUMENT.at(word, &[written, &suggestion(written, ARGUMENTS)])
    }
}

/// `= EXPRESSION` after the word of an argument.
fn value(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<Value> {
    value_of(input, word, example, Value::parse)
}

/// `= VALUE` after the word of an argument.
fn value_of<T>(
    input: ParseStream<'_>,
    word: &Ident,
    example: &str,
    read: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let missing = || diag::VALUE_MISSING.at(word, &[&word.to_string(), example]);
    if !input.peek(Token![=]) {
        return Err(missing());
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(missing());
    }
    let start = input.span();
    let unreadable = |_| diag::VALUE_UNREADABLE.at_span(start, &[&word.to_string(), example]);
    read(input).map_err(unreadable)
}

/// `(ITEM, ...)` after the word of an argument. A mistake in one item does not hide the next.
fn list<T>(
    input: ParseStream<'_>,
    word: &Ident,
    example: &str,
    mistakes: &mut Mistakes,
    item: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let missing = || diag::VALUE_MISSING.at(word, &[&word.to_string(), example]);
    if !input.peek(syn::token::Paren) {
        return Err(missing());
    }
    let content;
    parenthesized!(content in input);
    if content.is_empty() {
        return Err(missing());
    }
    let mut items = Vec::new();
    while !content.is_empty() {
        let start = content.span();
        match item(&content) {
            Ok(item) if content.is_empty() || content.peek(Token![,]) => items.push(item),
            Ok(_) => {
                mistakes.push(diag::VALUE_UNREADABLE.at_span(start, &[&word.to_string(), example]));
                skip_argument(&content);
            }
            Err(error) => {
                mistakes.push(error);
                skip_argument(&content);
            }
        }
        let _comma: Result<Option<Token![,]>, _> = content.parse();
    }
    Ok(items)
}

/// The name of a parameter.
fn name(input: ParseStream<'_>) -> syn::Result<Ident> {
    let unreadable =
        |_| diag::VALUE_UNREADABLE.at_span(input.span(), &["clone", "clone(parameter)"]);
    Ident::parse_any(input).map_err(unreadable)
}

/// `= "reason"` after a word, and not an empty one.
fn reason(input: ParseStream<'_>, word: &Ident) -> syn::Result<()> {
    let missing = || diag::REASON_MISSING.at(word, &[&word.to_string()]);
    if !input.peek(Token![=]) {
        return Err(missing());
    }
    input.parse::<Token![=]>()?;
    match input.parse::<LitStr>() {
        Ok(text) if !text.value().trim().is_empty() => Ok(()),
        _ => Err(missing()),
    }
}

/// Goes on to the next comma, so that the arguments behind it are read too.
fn skip_argument(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _skipped: syn::Result<TokenTree> = input.parse();
    }
}
