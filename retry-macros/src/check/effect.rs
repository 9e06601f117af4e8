//! The policy, the effect, and whether the body agrees with it.

use super::Case;
use crate::diag::{self, Mistakes};
use crate::parse::{EffectKind, Value};
use crate::syntax::{Row, row_of, text};
use crate::tokens::Tokens;
use crate::words::{Word, Words};
use proc_macro2::{Delimiter, Literal, Span, TokenTree};

/// There is a policy.
pub(super) fn check_policy_given(case: &Case<'_>, mistakes: &mut Mistakes) {
    if case.arguments.policy.get().is_none() && !case.arguments.attempted(&["policy"]) {
        let name = &case.function.signature.name;
        mistakes.push(diag::POLICY_MISSING.at(name, &[&name.to_string()]));
    }
}

/// The policy stands in a constant of its own, where `Self` has no meaning.
pub(super) fn check_policy_not_of_self(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(policy) = case.arguments.policy.get() else { return };
    let words = Words::of(&policy.tokens);
    if let Some(name) = words.name("Self") {
        mistakes.push(diag::POLICY_OF_SELF.at(name, &[]));
    }
}

/// An effect is stated.
pub(super) fn check_effect_given(case: &Case<'_>, mistakes: &mut Mistakes) {
    let attempted = case.arguments.attempted(&["idempotent", "idempotency_key", "once"]);
    if case.arguments.effects.is_empty() && !attempted {
        let name = &case.function.signature.name;
        mistakes.push(diag::MISSING_IDEMPOTENCY_KEY.at(name, &[&name.to_string()]));
    }
}

/// It is one.
pub(super) fn check_one_effect(case: &Case<'_>, mistakes: &mut Mistakes) {
    let [first, others @ ..] = case.arguments.effects.as_slice() else { return };
    for other in others {
        let (first, second) = (first.word.to_string(), other.word.to_string());
        mistakes.push(if first == second {
            diag::ARGUMENT_TWICE.at(&other.word, &[&second])
        } else {
            diag::TWO_EFFECTS.at(&other.word, &[&first, &second])
        });
    }
}

/// There is a key to ask by.
pub(super) fn check_reconcile_has_key(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(reconcile) = case.arguments.reconcile.get() else { return };
    if keys(case).next().is_none() && !case.arguments.attempted(&["idempotency_key"]) {
        mistakes.push(diag::RECONCILE_WITHOUT_KEY.at_all(reconcile.tokens.as_slice(), &[]));
    }
}

/// A key that is visibly empty is the same for all calls. One that turns out to be empty at run
/// time ends the call before anything is sent.
pub(super) fn check_key_not_empty(case: &Case<'_>, mistakes: &mut Mistakes) {
    for Value { tokens, .. } in keys(case) {
        if is_empty_text(tokens.as_slice()) {
            mistakes.push(diag::EMPTY_KEY.at_all(tokens.as_slice(), &[]));
        }
    }
}

/// The body sends the key: it uses a value that the key is made of, or asks for it.
pub(super) fn check_key_used(case: &Case<'_>, mistakes: &mut Mistakes) {
    let mut broken = Vec::new();
    for Value { tokens, .. } in keys(case) {
        if is_empty_text(tokens.as_slice()) {
            continue;
        }
        let values = Words::of(tokens).values();
        let used = values.iter().any(|value| case.function.words.use_value(value));
        if !used && !case.function.words.mention("idempotency_key") {
            let tokens = tokens.as_slice();
            broken.push(diag::KEY_UNUSED.at_all(tokens, &[&readable(tokens)]));
        }
    }
    case.unless_allowed("key_unused", broken, mistakes);
}

/// A body that visibly writes is not idempotent, unless somebody says why.
pub(super) fn check_idempotent_not_doubted(case: &Case<'_>, mistakes: &mut Mistakes) {
    let unvouched = case
        .arguments
        .effects
        .iter()
        .any(|effect| matches!(effect.kind, EffectKind::Idempotent { vouched: false }));
    if !unvouched {
        return;
    }
    if let Some((place, what)) = visible_write(&case.function.words) {
        mistakes.push(diag::DOUBTED_IDEMPOTENT.at_span(place, &[&what]));
    }
}

fn keys<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c Value> {
    case.arguments.effects.iter().filter_map(|effect| match &effect.kind {
        EffectKind::Keyed(key) => Some(&**key),
        _ => None,
    })
}

/// The first write that can be seen, where it stands, and how to name it.
fn visible_write(body: &Words) -> Option<(Span, String)> {
    if let Some(name) = body.find_method(&["post", "patch"]) {
        return Some((name.span(), format!(".{name}(")));
    }
    if let Some(name) = body.find_path("Method", &["POST", "PATCH"]) {
        return Some((name.span(), format!("Method::{name}")));
    }
    for word in body.as_slice() {
        match word {
            Word::Literal(literal) if inserts_twice(literal) => {
                return Some((literal.span(), "INSERT".to_owned()));
            }
            _ => {}
        }
    }
    None
}

/// Clauses by which an `INSERT` says what becomes of a row that is already there.
const CONFLICT_CLAUSES: &[&str] = &[
    "ON CONFLICT",
    "ON DUPLICATE KEY",
    "INSERT OR IGNORE",
    "INSERT OR REPLACE",
    "INSERT IGNORE",
    "NOT EXISTS",
];

/// Whether a string is SQL that inserts, and says nothing of a row that is already there.
fn inserts_twice(literal: &Literal) -> bool {
    let text = literal.to_string();
    if !text.as_bytes().contains(&b'"') {
        return false;
    }
    // Whatever stands between two words; the last one ends in the quote.
    let mut line = String::new();
    for word in text.to_uppercase().split_whitespace() {
        line.push_str(word);
        line.push(' ');
    }
    line.contains("INSERT INTO ") && !CONFLICT_CLAUSES.iter().any(|clause| line.contains(clause))
}

/// `""`, and the usual ways to make an owned text of it.
fn is_empty_text(key: &[TokenTree]) -> bool {
    let mut row = Row::of(key);
    while row.sign('&').is_some() {}
    is_empty_operand(&mut row) && {
        // Methods without arguments make no other text of it.
        while row.sign('.').is_some() {
            row.name();
            row.signs([':', ':']);
            row.angles();
            match row.group(Delimiter::Parenthesis) {
                Some(arguments) if arguments.stream().is_empty() => {}
                _ => return false,
            }
        }
        row.is_empty()
    }
}

fn is_empty_operand(row: &mut Row<'_>) -> bool {
    if let Some(literal) = row.literal() {
        return text(&literal).is_some_and(|text| text.is_empty());
    }
    match row.next() {
        Some(TokenTree::Group(group)) => {
            let is_parenthesis = group.delimiter() == Delimiter::Parenthesis;
            (is_parenthesis || group.delimiter() == Delimiter::None)
                && is_empty_text(&row_of(group.stream()))
        }
        Some(TokenTree::Ident(name)) if name == "String" && row.signs([':', ':']) => {
            let function = row.name().map(ToString::to_string).unwrap_or_default();
            let arguments = row.group(Delimiter::Parenthesis).map(|group| row_of(group.stream()));
            match arguments.as_deref() {
                Some([]) => function == "new",
                Some(argument) => function == "from" && is_empty_text(argument),
                None => false,
            }
        }
        _ => false,
    }
}

/// The tokens as a person writes them.
fn readable(tokens: &[TokenTree]) -> String {
    let mut text = Tokens::from(tokens.to_vec()).text();
    for spaced in [" . ", " :: ", " ::", " (", "( ", " )", "& ", " ,"] {
        text = text.replace(spaced, spaced.trim());
    }
    text
}
