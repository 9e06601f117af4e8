//! What the macros say: the mistakes found so far, and the sentences for them.

mod mistake;
mod nearest;
mod rules;

pub(crate) use mistake::{Mistake, Mistakes};
pub(crate) use nearest::nearest;
pub(crate) use rules::*;

use proc_macro2::{Ident, Span, TokenTree};

/// A rule that can be broken: its name in `docs/diagnostics.md`, and its sentence.
///
/// The sentence says what is wrong, why, and what to write. `{0}` and `{1}` stand for words of the
/// user's; lines after the first are further help.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    // Read by the test that compares the rules with their documentation.
    #[cfg_attr(not(test), expect(dead_code))]
    pub(crate) name: &'static str,
    sentence: &'static str,
}

impl Rule {
    /// A mistake at this name.
    pub(crate) fn at(self, name: &Ident, words: &[&str]) -> Mistake {
        self.at_span(name.span(), words)
    }

    pub(crate) fn at_span(self, place: Span, words: &[&str]) -> Mistake {
        Mistake { sentence: self.say(words), first: place, last: place }
    }

    /// A mistake at all of these tokens.
    pub(crate) fn at_all(self, tokens: &[TokenTree], words: &[&str]) -> Mistake {
        let first = tokens.first().map_or_else(Span::call_site, TokenTree::span);
        let last = tokens.last().map_or(first, TokenTree::span);
        Mistake { sentence: self.say(words), first, last }
    }

    fn say(self, words: &[&str]) -> String {
        let mut sentence = self.sentence.to_owned();
        for (number, word) in words.iter().enumerate() {
            sentence = sentence.replace(format!("{{{number}}}").as_str(), word);
        }
        sentence
    }
}

/// The nearest known word, and all of them.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> String {
    let mut list = String::new();
    for word in known {
        list.push_str(if list.is_empty() { "`" } else { ", `" });
        list.push_str(word);
        list.push('`');
    }
    match nearest(word, known) {
        Some(nearest) => format!("did you mean `{nearest}`? The known ones are {list}"),
        None => format!("the known ones are {list}"),
    }
}
