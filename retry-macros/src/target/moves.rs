//! Where a body seems to use a by-value parameter up.
//!
//! The compiler reports a value that the first attempt moved at the word `async` of the attempt. So
//! that word gets the place of the use in the body. Which use it is, only the compiler knows; this
//! finds the likely one, and a wrong guess only moves the first underline of an error that is there.

use crate::words::{Word, Words};
use proc_macro2::{Delimiter, Ident, Span};

/// The first use of one of these names as a whole value, such as an argument. None if several of
/// them are used so: the word `async` has only one place.
pub(super) fn find(body: &Words, names: &[String]) -> Option<Span> {
    if names.is_empty() {
        return None;
    }
    let mut first: Option<(&Ident, &str)> = None;
    for (place, name) in uses(body.as_slice(), names) {
        match first {
            Some((_, other)) if other != name => return None,
            Some(_) => {}
            None => first = Some((place, name)),
        }
    }
    first.map(|(place, _)| place.span())
}

fn uses<'w>(words: &'w [Word], names: &[String]) -> Vec<(&'w Ident, &'w str)> {
    let mut uses = Vec::new();
    let (mut at, mut before) = (0, None);
    while let Some(word) = words.get(at) {
        match word {
            Word::Name(name, text)
                if names.contains(text) && is_start(before) && is_end(&words[at + 1..]) =>
            {
                uses.push((name, text.as_str()));
            }
            // A block that moves takes all that it mentions.
            Word::Open(_, close) if is_move(before) => {
                if let Some(mention) = mention(&words[at..*close], names) {
                    uses.push(mention);
                }
                at = *close;
            }
            _ => {}
        }
        before = words.get(at);
        at += 1;
    }
    uses
}

fn is_move(before: Option<&Word>) -> bool {
    matches!(before, Some(Word::Name(_, word)) if word == "move")
}

fn mention<'w>(words: &'w [Word], names: &[String]) -> Option<(&'w Ident, &'w str)> {
    words.iter().find_map(|word| match word {
        Word::Name(name, text) => names.contains(text).then_some((name, text.as_str())),
        _ => None,
    })
}

/// A borrow, a field of something else or a path is not a use of the whole value.
fn is_start(before: Option<&Word>) -> bool {
    match before {
        Some(Word::Sign(sign)) => matches!(sign, ',' | '=' | ';' | ':' | '|'),
        Some(Word::Name(_, word)) => word == "return" || word == "in",
        Some(Word::Literal(_)) => false,
        Some(Word::Open(..) | Word::Close) | None => true,
    }
}

/// Neither is what a field or a method is taken of, unless a method says that it converts.
fn is_end(behind: &[Word]) -> bool {
    match behind {
        [Word::Sign('.'), Word::Name(_, name), rest @ ..] => {
            let converts = name.starts_with("into") || name == "await";
            // Of a field, what is taken next decides.
            converts || matches!(rest, [Word::Sign('.'), ..]) && is_end(rest)
        }
        [Word::Sign(sign), ..] => matches!(sign, ',' | ';' | '?'),
        [Word::Open(delimiter, _), ..] => *delimiter == Delimiter::Brace,
        [Word::Close, ..] | [] => true,
        _ => false,
    }
}
