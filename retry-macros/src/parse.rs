//! The arguments of the attribute, as they were written.

mod allowed;
mod effect;
mod slot;
mod value;

pub(crate) use allowed::Rules;
pub(crate) use effect::{Effect, EffectKind};
pub(crate) use slot::Slot;
pub(crate) use value::Value;

use crate::diag::{self, Mistake, Mistakes, nearest, suggestion};
use crate::syntax::{Row, module, row_of, text};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, Ident, TokenStream};

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
    pub(crate) krate: Slot<Tokens>,
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
        let tokens = row_of(tokens);
        let mut arguments = Self::default();
        arguments.read(Row::of(&tokens), mistakes);
        arguments
    }

    pub(crate) fn attempted(&self, words: &[&str]) -> bool {
        self.attempted.iter().any(|attempted| words.contains(attempted))
    }

    fn read(&mut self, mut row: Row<'_>, mistakes: &mut Mistakes) {
        while !row.is_empty() {
            if let Err(mistake) = self.read_one(&mut row, mistakes) {
                mistakes.push(mistake);
                row.skip_to_comma();
            }
            if !row.is_empty() && !row.is_at(',') {
                mistakes.push(diag::COMMA_EXPECTED.at_span(row.span(), &[]));
                // A word that follows is read all the same.
                if !row.is_at_name() {
                    row.skip_to_comma();
                }
            }
            row.sign(',');
        }
    }

    fn read_one(&mut self, row: &mut Row<'_>, mistakes: &mut Mistakes) -> Result<(), Mistake> {
        let Some(word) = row.name() else {
            return Err(diag::ARGUMENT_EXPECTED.at_span(row.span(), &[]));
        };
        let written = word.to_string();
        if let Some(meant) = nearest(&written, ARGUMENTS) {
            self.attempted.push(meant);
        }
        match written.as_str() {
            "policy" => self.policy.set(word, value(row, word, "policy = CHECKOUT")?, mistakes),
            "downstream" => {
                let downstream = value(row, word, "downstream = PAYMENTS")?;
                self.downstream.set(word, downstream, mistakes);
            }
            "deadline" => {
                let deadline = value(row, word, "deadline = request.deadline")?;
                self.deadline.set(word, deadline, mistakes);
            }
            "classify" => {
                let classify = value(row, word, "classify = path::to::function")?;
                self.classify.set(word, classify, mistakes);
            }
            "reconcile" => {
                let reconcile = value(row, word, "reconcile = path::to::function")?;
                self.reconcile.set(word, reconcile, mistakes);
            }
            "crate" => {
                let path = value_of(row, word, "crate = path::to::retry_runtime", module)?;
                self.krate.set(word, path, mistakes);
            }
            "clone" => {
                let names = list(row, word, "clone(parameter)", mistakes, name)?;
                self.clone.set(word, names, mistakes);
            }
            "allow" => {
                let rules = Rules::parse_after(word, row, mistakes)?;
                self.allow.set(word, rules, mistakes);
            }
            "idempotent" | "once" | "idempotency_key" => {
                let kind = EffectKind::parse_after(word, &written, row)?;
                self.effects.push(Effect { word: word.clone(), kind });
            }
            other => return Err(self.unknown(word, other, *row)),
        }
        Ok(())
    }

    fn unknown(&mut self, word: &Ident, written: &str, row: Row<'_>) -> Mistake {
        if SETTINGS.contains(&written) {
            return diag::SETTING_OF_THE_POLICY.at(word, &[written]);
        }
        let has_value = row.is_at('=') || row.is_at_group(Delimiter::Parenthesis);
        if !has_value && nearest(written, ARGUMENTS).is_none() {
            self.attempted.push("policy");
            return diag::POLICY_WITHOUT_ITS_NAME.at(word, &[written]);
        }
        diag::UNKNOWN_ARGUMENT.at(word, &[written, &suggestion(written, ARGUMENTS)])
    }
}

/// `= EXPRESSION` after the word of an argument.
fn value(row: &mut Row<'_>, word: &Ident, example: &str) -> Result<Value, Mistake> {
    value_of(row, word, example, Value::read)
}

/// `= VALUE` after the word of an argument.
fn value_of<T>(
    row: &mut Row<'_>,
    word: &Ident,
    example: &str,
    read: fn(&mut Row<'_>) -> Option<T>,
) -> Result<T, Mistake> {
    equals(row, word, example)?;
    let start = row.span();
    read(row).ok_or_else(|| diag::VALUE_UNREADABLE.at_span(start, &[&word.to_string(), example]))
}

/// `=` and something behind it.
pub(crate) fn equals(row: &mut Row<'_>, word: &Ident, example: &str) -> Result<(), Mistake> {
    if row.sign('=').is_none() || row.is_empty() || row.is_at(',') {
        return Err(diag::VALUE_MISSING.at(word, &[&word.to_string(), example]));
    }
    Ok(())
}

/// `(ITEM, ...)` after the word of an argument. A mistake in one item does not hide the next.
fn list(
    row: &mut Row<'_>,
    word: &Ident,
    example: &str,
    mistakes: &mut Mistakes,
    item: fn(&mut Row<'_>) -> Result<Ident, Mistake>,
) -> Result<Vec<Ident>, Mistake> {
    let missing = || diag::VALUE_MISSING.at(word, &[&word.to_string(), example]);
    let parentheses = row.group(Delimiter::Parenthesis).ok_or_else(missing)?;
    let inside = row_of(parentheses.stream());
    if inside.is_empty() {
        return Err(missing());
    }
    let mut row = Row::of(&inside);
    let mut items = Vec::new();
    while !row.is_empty() {
        let start = row.span();
        match item(&mut row) {
            Ok(item) if row.is_empty() || row.is_at(',') => items.push(item),
            Ok(_) => {
                mistakes.push(diag::VALUE_UNREADABLE.at_span(start, &[&word.to_string(), example]));
            }
            Err(mistake) => mistakes.push(mistake),
        }
        row.skip_to_comma();
        row.sign(',');
    }
    Ok(items)
}

/// The name of a parameter.
fn name(row: &mut Row<'_>) -> Result<Ident, Mistake> {
    let start = row.span();
    row.name()
        .cloned()
        .ok_or_else(|| diag::VALUE_UNREADABLE.at_span(start, &["clone", "clone(parameter)"]))
}

/// `= "reason"` after a word, and not an empty one.
fn reason(row: &mut Row<'_>, word: &Ident) -> Result<(), Mistake> {
    let literal = row.sign('=').and_then(|_| row.literal());
    match literal.as_ref().and_then(text) {
        Some(reason) if has_words(&reason) => Ok(()),
        _ => Err(diag::REASON_MISSING.at(word, &[&word.to_string()])),
    }
}

/// Whether a text has a letter or a digit, be it of any script, that is not the name of an escape.
fn has_words(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter.is_alphanumeric() {
            return true;
        }
    }
    false
}
