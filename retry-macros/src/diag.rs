//! Every sentence that the macros can say: what is wrong, why, what to write.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes found so far; all of them are reported at once.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<syn::Error>);

impl Mistakes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A mistake at the place of these tokens.
    pub(crate) fn at(&mut self, place: impl ToTokens, sentence: impl std::fmt::Display) {
        self.0.push(syn::Error::new_spanned(place, sentence));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// One compile error for each mistake, and the item as it was written.
    pub(crate) fn beside(self, item: TokenStream) -> TokenStream {
        let mut output = self.into_compile_errors();
        output.extend(item);
        output
    }

    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}

// Arguments.

pub(crate) fn unknown_argument(word: &str, known: &[&str]) -> String {
    format!("unknown argument `{word}`: {}", suggestion(word, known))
}

pub(crate) fn unknown_rule(word: &str, known: &[&str]) -> String {
    format!("`{word}` is not a rule that can be allowed: {}", suggestion(word, known))
}

pub(crate) fn argument_twice(word: &str) -> String {
    format!("`{word}` is given twice, so one of the two would be ignored: keep one")
}

pub(crate) fn value_missing(word: &str, example: &str) -> String {
    format!("`{word}` needs a value: write `{example}`")
}

pub(crate) fn value_unexpected(word: &str) -> String {
    format!("`{word}` takes no value: write `{word}` alone")
}

pub(crate) const ARGUMENT_EXPECTED: &str =
    "expected the name of an argument, such as `policy = CHECKOUT`";

pub(crate) const COMMA_EXPECTED: &str = "expected a comma between two arguments";

pub(crate) const REASON_MISSING: &str =
    "expected a reason in quotes, for the next person who reads this: write `= \"reason\"`";

pub(crate) const POLICY_MISSING: &str = "this function has no `policy`, so nothing says how often to try and how long to wait: write \
     `policy = CHECKOUT`, a constant of type `Policy`";

// Effects.

pub(crate) const EFFECT_MISSING: &str = "a retry may repeat a write, and a timeout does not mean \
     that it was not done: write `idempotent` if repeating this function changes nothing more, or \
     `idempotency_key = ...` so that the server can tell a repetition (`once` never repeats)";

pub(crate) fn two_effects(first: &str, second: &str) -> String {
    format!(
        "`{second}` contradicts `{first}`, because a function has one effect: keep the one that is \
         true"
    )
}

// The function.

pub(crate) const NOT_A_FUNCTION: &str =
    "only an async function can be retried: put `#[retry]` on a function or a method";

pub(crate) const IMPL_BLOCK: &str = "a whole `impl` cannot be retried, because each call has its \
     own effect: put `#[retry]` on each method";

pub(crate) const TRAIT_BLOCK: &str = "a whole `trait` cannot be retried, because each call has its \
     own effect: put `#[retry]` on each method that has a body";

pub(crate) const BODY_MISSING: &str = "a method without a body has nothing to retry: put `#[retry]` \
     on the implementation, or give the method a default body";

pub(crate) const NOT_ASYNC: &str = "a retry has to wait without blocking, so it needs an async \
     function: write `async fn`";

pub(crate) const CONST_FUNCTION: &str =
    "a `const` function cannot call another service, so there is nothing to retry: remove `const`";

pub(crate) const NO_RESULT: &str = "a retried function has to return a `Result`, because only a \
     failure can be tried again: write `-> Result<(), YourError>`";

pub(crate) const ATTRIBUTE_TWICE: &str = "`#[retry]` twice on one function would multiply the \
     attempts: keep one";

pub(crate) const MUTABLE_BORROW_RETURNED: &str = "a mutable borrow of `self` cannot be returned \
     from a retried function, because the next attempt needs it again: return an owned value or a \
     shared borrow";

pub(crate) fn clone_of_no_parameter(name: &str) -> String {
    format!("`clone({name})` names no parameter of this function: write the name of one")
}

pub(crate) fn clone_of_self() -> String {
    "`self` cannot be cloned for each attempt: take `&self`, or clone the parts that the body uses up"
        .to_owned()
}

// The derive.

pub(crate) const CLASS_MISSING: &str = "nothing says whether this failure may be tried again: write \
     `#[classify(transient)]`, `#[classify(throttled)]`, `#[classify(permanent)]`, \
     `#[classify(inherit)]` or `#[classify(stopped)]`";

pub(crate) const CLASS_EXPECTED: &str =
    "expected `transient`, `throttled`, `permanent`, `inherit` or `stopped` first";

pub(crate) fn unknown_class(word: &str, known: &[&str]) -> String {
    format!("unknown class `{word}`: {}", suggestion(word, known))
}

pub(crate) fn unknown_refinement(word: &str, known: &[&str]) -> String {
    format!("unknown refinement `{word}`: {}", suggestion(word, known))
}

pub(crate) const CLASS_AFTER_THE_LAST: &str = "this can never be reached, because the `classify` \
     before it holds always: give that one a `when = ...`, or remove this one";

pub(crate) const STOPPED_FIELD: &str = "`stopped` is for a variant with one field that says why the \
     call stopped: write `Stopped(retry_runtime::Stopped)`";

pub(crate) const STOPPED_ALONE: &str =
    "`stopped` says all there is to say: write `#[classify(stopped)]` and nothing else";

pub(crate) const STOPPED_TWICE: &str = "two variants are marked `stopped`, so it is unclear which \
     one a stop becomes: keep one";

pub(crate) const INHERIT_FIELD: &str = "`inherit` takes the class of the one field, or of the one \
     marked `#[source]` or `#[from]`, and here it is unclear which: mark one of them";

pub(crate) const INHERIT_REFINED: &str =
    "`inherit` takes everything from the inner error: refine that one, or write `transient` here";

pub(crate) const DELIVERED_TWICE: &str =
    "a request is either `not_sent` or `refused`: keep the one that is true";

pub(crate) fn unknown_field(name: &str) -> String {
    format!("there is no field `{name}` here: `retry_after` names a field that holds the wait")
}

pub(crate) const CLASSIFY_UNION: &str =
    "a union does not know what it holds: derive `Classify` on an enum or a struct";

/// The nearest known word, and all of them.
fn suggestion(word: &str, known: &[&str]) -> String {
    let list = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match nearest(word, known) {
        Some(nearest) => format!("did you mean `{nearest}`? The known ones are {list}"),
        None => format!("the known ones are {list}"),
    }
}

/// The known word that was probably meant: few letters differ, or it ends in what was written.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let ending = || known.iter().find(|candidate| candidate.ends_with(word)).copied();
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .min()
        .filter(|(distance, candidate)| distance * 3 <= candidate.len().max(word.len()))
        .map(|(_, candidate)| candidate)
        .or_else(ending)
}

/// How many letters have to be changed, added or removed to make one word the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&to) {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = *cell;
            left = changed.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_changed_letters() {
        assert_eq!(distance("polcy", "policy"), 1);
        assert_eq!(distance("policy", "policy"), 0);
        assert_eq!(distance("", "once"), 4);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_word_like_no_other_gets_the_list_only() {
        assert!(suggestion("zzzzzz", &["policy", "once"]).starts_with("the known ones are"));
        assert!(suggestion("key", &["policy", "idempotency_key"]).contains("`idempotency_key`?"));
    }
}
