//! What the macros say: the mistakes found so far, and the sentences for them.

mod nearest;
mod rules;

pub(crate) use nearest::nearest;
pub(crate) use rules::*;

use crate::target;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

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
    /// A mistake at the place of these tokens.
    pub(crate) fn at(self, place: impl ToTokens, words: &[&str]) -> syn::Error {
        syn::Error::new_spanned(place.into_token_stream(), self.say(words))
    }

    pub(crate) fn at_span(self, place: Span, words: &[&str]) -> syn::Error {
        syn::Error::new(place, self.say(words))
    }

    fn say(self, words: &[&str]) -> String {
        let mut sentence = self.sentence.to_owned();
        for (number, word) in words.iter().enumerate() {
            sentence = sentence.replace(format!("{{{number}}}").as_str(), word);
        }
        sentence
    }
}

/// The mistakes found so far; all of them are reported at once.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<syn::Error>);

impl Mistakes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// One compile error for each mistake, and the item as it was written, if it is one at all.
    pub(crate) fn beside(self, item: TokenStream) -> TokenStream {
        let item = if target::is_item(&item) { item } else { TokenStream::new() };
        self.and(item)
    }

    /// One compile error for each mistake, and these tokens.
    pub(crate) fn and(self, tokens: TokenStream) -> TokenStream {
        let mut output: TokenStream = self.0.iter().map(syn::Error::to_compile_error).collect();
        output.extend(tokens);
        output
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
