//! The tokens of a body in a row, to look for what it visibly does.
//!
//! The body is never parsed: it may be half typed, and what macros make of their tokens is unknown.

use proc_macro2::{Delimiter, Ident, Literal, TokenStream, TokenTree};

/// A body as a row of tokens, with the groups opened.
pub(super) struct Words(Vec<Word>);

enum Word {
    Name(Ident),
    Sign(char),
    Literal(Literal),
    Open(Delimiter),
    Close,
}

impl Words {
    pub(super) fn of(tokens: TokenStream) -> Self {
        let mut words = Vec::new();
        collect(tokens, &mut words);
        Self(words)
    }

    /// Whether this name stands anywhere, be it within the braces of a format string.
    pub(super) fn mention(&self, name: &str) -> bool {
        self.0.iter().any(|word| match word {
            Word::Name(other) => other == name,
            Word::Literal(text) => is_formatted(&text.to_string(), name),
            _ => false,
        })
    }

    /// All names that stand here, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &Ident> {
        self.0.iter().filter_map(|word| match word {
            Word::Name(name) => Some(name),
            _ => None,
        })
    }

    pub(super) fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.0.iter().filter_map(|word| match word {
            Word::Literal(literal) => Some(literal),
            _ => None,
        })
    }

    /// A call of a method: `.NAME(`, also with a turbofish.
    pub(super) fn find_method(&self, names: &[&str]) -> Option<&Ident> {
        let is_method = |at: usize| at > 0 && self.is_sign(at - 1, '.');
        self.calls().find(|(at, name)| is_method(*at) && is_any(name, names)).map(|(_, name)| name)
    }

    /// A call of a function by its name alone, `NAME(`, or by a path that ends in `BEFORE::NAME(`.
    pub(super) fn find_function(&self, before: &[&str], names: &[&str]) -> Option<&Ident> {
        let found = self.calls().find(|(at, name)| {
            let is_method = *at > 0 && self.is_sign(at - 1, '.');
            let qualified = self.qualifier(*at).is_none_or(|qualifier| is_any(qualifier, before));
            is_any(name, names) && !is_method && qualified
        });
        found.map(|(_, name)| name)
    }

    /// A path that ends in `BEFORE::NAME`, called or not.
    pub(super) fn find_path(&self, before: &str, names: &[&str]) -> Option<&Ident> {
        self.0.iter().enumerate().find_map(|(at, word)| match word {
            Word::Name(name) if is_any(name, names) => {
                self.qualifier(at).filter(|qualifier| *qualifier == before).map(|_| name)
            }
            _ => None,
        })
    }

    /// Names that a parenthesis follows, be it behind a turbofish, and where they stand.
    fn calls(&self) -> impl Iterator<Item = (usize, &Ident)> {
        self.0.iter().enumerate().filter_map(|(at, word)| match word {
            Word::Name(name) if self.is_called(at) => Some((at, name)),
            _ => None,
        })
    }

    fn is_called(&self, at: usize) -> bool {
        let opens = matches!(self.0.get(at + 1), Some(Word::Open(Delimiter::Parenthesis)));
        let turbofish = [':', ':', '<'];
        opens || (1..).zip(turbofish).all(|(behind, sign)| self.is_sign(at + behind, sign))
    }

    /// The name before `::` before the name at this place.
    fn qualifier(&self, at: usize) -> Option<&Ident> {
        let before = at.checked_sub(3)?;
        let colons = self.is_sign(at - 1, ':') && self.is_sign(at - 2, ':');
        match self.0.get(before) {
            Some(Word::Name(name)) if colons => Some(name),
            _ => None,
        }
    }

    fn is_sign(&self, at: usize, sign: char) -> bool {
        matches!(self.0.get(at), Some(Word::Sign(other)) if *other == sign)
    }
}

fn collect(tokens: TokenStream, words: &mut Vec<Word>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => words.push(Word::Name(name)),
            TokenTree::Punct(sign) => words.push(Word::Sign(sign.as_char())),
            TokenTree::Literal(literal) => words.push(Word::Literal(literal)),
            TokenTree::Group(group) => {
                words.push(Word::Open(group.delimiter()));
                collect(group.stream(), words);
                words.push(Word::Close);
            }
        }
    }
}

fn is_any(name: &Ident, names: &[&str]) -> bool {
    names.iter().any(|other| name == other)
}

/// Whether a string literal has `{NAME}` or `{NAME:...}`, as format strings have.
fn is_formatted(literal: &str, name: &str) -> bool {
    literal.match_indices('{').any(|(at, _)| {
        literal
            .get(at + 1..)
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(['}', ':']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        Words::of(text.parse().unwrap())
    }

    #[test]
    fn methods_functions_and_paths_are_told_apart() {
        assert!(words("client.post(url)").find_method(&["post"]).is_some());
        assert!(words("client.post::<T>(url)").find_method(&["post"]).is_some());
        assert!(words("client.post").find_method(&["post"]).is_none());
        assert!(words("post(url)").find_method(&["post"]).is_none());
        assert!(words("if { x.y().post(z) }").find_method(&["post"]).is_some());

        let spawn =
            |text: &str| words(text).find_function(&["tokio", "task"], &["spawn"]).is_some();
        assert!(spawn("tokio::spawn(x)") && spawn("spawn(x)") && spawn("tokio::task::spawn(x)"));
        assert!(!spawn("set.spawn(x)") && !spawn("Command::spawn(x)") && !spawn("let spawn = 1;"));

        assert!(words("Method::POST").find_path("Method", &["POST"]).is_some());
        assert!(words("http::Method::POST").find_path("Method", &["POST"]).is_some());
        assert!(words("POST").find_path("Method", &["POST"]).is_none());
        assert!(words("Kind::POST").find_path("Method", &["POST"]).is_none());
    }

    #[test]
    fn a_name_in_a_format_string_is_a_mention() {
        assert!(words("format!(\"k={key}\")").mention("key"));
        assert!(words("format!(\"{key:?}\")").mention("key"));
        assert!(!words("format!(\"{keys}\")").mention("key"));
        assert!(!words("\"key\"").mention("key"));
        assert!(words("send(&order.key)").mention("order"));
    }
}
