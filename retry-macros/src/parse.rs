//! The arguments of the attribute, as they were written.

use crate::diag::{self, Mistakes};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Path, Token, parenthesized};

/// What stands between the parentheses of `#[retry(...)]`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) policy: Slot<Expr>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) downstream: Slot<Expr>,
    pub(crate) deadline: Slot<Expr>,
    pub(crate) classify: Slot<Expr>,
    pub(crate) clone: Slot<Vec<Ident>>,
    pub(crate) allow: Slot<Vec<Allowed>>,
    pub(crate) krate: Slot<Path>,
    /// The words that were written, or were probably meant, whether their values could be read or
    /// not: what was attempted is not reported as missing too.
    attempted: Vec<String>,
}

/// What repeating the function does, as the user says.
pub(crate) struct Effect {
    pub(crate) word: Ident,
    pub(crate) kind: EffectKind,
}

pub(crate) enum EffectKind {
    Idempotent,
    Keyed(Box<Expr>),
    Once,
}

/// One rule in `allow(...)`.
pub(crate) struct Allowed {
    pub(crate) rule: Ident,
}

const ARGUMENTS: &[&str] = &[
    "policy",
    "idempotent",
    "idempotency_key",
    "once",
    "downstream",
    "deadline",
    "classify",
    "clone",
    "allow",
    "crate",
];

/// The rules that `allow(...)` may name.
pub(crate) const ALLOWABLE: &[&str] = &["no_jitter", "short_attempt_timeout"];

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
        self.attempted.iter().any(|attempted| words.contains(&attempted.as_str()))
    }

    fn read(&mut self, input: ParseStream<'_>, mistakes: &mut Mistakes) {
        while !input.is_empty() {
            if let Err(error) = self.read_one(input, mistakes) {
                mistakes.push(error);
                skip_argument(input);
            } else if !input.is_empty() && !input.peek(Token![,]) {
                mistakes.push(input.error(diag::COMMA_EXPECTED));
                skip_argument(input);
            }
            let _comma: Result<Option<Token![,]>, _> = input.parse();
        }
    }

    fn read_one(&mut self, input: ParseStream<'_>, mistakes: &mut Mistakes) -> syn::Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(diag::ARGUMENT_EXPECTED));
        }
        let word = Ident::parse_any(input)?;
        let meant = diag::nearest(&word.to_string(), ARGUMENTS).map(ToOwned::to_owned);
        self.attempted.extend(meant);
        match word.to_string().as_str() {
            "policy" => {
                let policy = value(input, &word, "policy = CHECKOUT")?;
                self.policy.set(&word, policy, mistakes);
            }
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
            "crate" => {
                let path = value(input, &word, "crate = path::to::retry_runtime")?;
                self.krate.set(&word, path, mistakes);
            }
            "clone" => {
                let names = list(input, &word, "clone(parameter)", Ident::parse_any)?;
                self.clone.set(&word, names, mistakes);
            }
            "allow" => {
                let rules = list(input, &word, "allow(no_jitter = \"reason\")", Allowed::parse)?;
                self.allow.set(&word, rules, mistakes);
            }
            "idempotent" | "once" | "idempotency_key" => {
                let kind = EffectKind::parse_after(&word, input)?;
                self.effects.push(Effect { word, kind });
            }
            other => {
                let sentence = diag::unknown_argument(other, ARGUMENTS);
                return Err(syn::Error::new(word.span(), sentence));
            }
        }
        Ok(())
    }
}

impl EffectKind {
    fn parse_after(word: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        if word == "idempotency_key" {
            let key = value(input, word, "idempotency_key = order.key")?;
            return Ok(Self::Keyed(Box::new(key)));
        }
        if word == "once" {
            return if input.peek(Token![=]) {
                Err(syn::Error::new(word.span(), diag::value_unexpected("once")))
            } else {
                Ok(Self::Once)
            };
        }
        if input.peek(Token![=]) {
            reason(input)?;
        }
        Ok(Self::Idempotent)
    }
}

impl Allowed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let rule = Ident::parse_any(input)?;
        let word = rule.to_string();
        if !ALLOWABLE.contains(&word.as_str()) {
            return Err(syn::Error::new(rule.span(), diag::unknown_rule(&word, ALLOWABLE)));
        }
        if !input.peek(Token![=]) {
            return Err(syn::Error::new(rule.span(), diag::REASON_MISSING));
        }
        reason(input)?;
        Ok(Self { rule })
    }
}

/// An argument that may be given once. This is the only place that refuses a second one.
pub(crate) struct Slot<T>(Option<T>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Slot<T> {
    fn set(&mut self, word: &Ident, value: T, mistakes: &mut Mistakes) {
        if self.0.is_some() {
            mistakes.at(word, diag::argument_twice(&word.to_string()));
        } else {
            self.0 = Some(value);
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    pub(crate) fn take(self) -> Option<T> {
        self.0
    }
}

/// `= VALUE` after the word of an argument.
fn value<T: Parse>(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<T> {
    let missing = || syn::Error::new(word.span(), diag::value_missing(&word.to_string(), example));
    if !input.peek(Token![=]) {
        return Err(missing());
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(missing());
    }
    input.parse()
}

/// `(ITEM, ...)` after the word of an argument.
fn list<T>(
    input: ParseStream<'_>,
    word: &Ident,
    example: &str,
    item: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    if !input.peek(syn::token::Paren) {
        let sentence = diag::value_missing(&word.to_string(), example);
        return Err(syn::Error::new(word.span(), sentence));
    }
    let content;
    parenthesized!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated_with(&content, item)?.into_iter().collect())
}

/// `= "reason"`, not empty.
fn reason(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<Token![=]>()?;
    let span = if input.is_empty() { Span::call_site() } else { input.span() };
    match input.parse::<LitStr>() {
        Ok(text) if !text.value().trim().is_empty() => Ok(()),
        _ => Err(syn::Error::new(span, diag::REASON_MISSING)),
    }
}

/// Goes on to the next comma, so that the arguments behind it are read too.
fn skip_argument(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _skipped: syn::Result<TokenTree> = input.parse();
    }
}
