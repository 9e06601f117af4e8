//! The tokens of a body in a row, to look for what it visibly does.
//!
//! The body is never parsed: it may be half typed, and what macros make of their tokens is unknown.

use proc_macro2::{Delimiter, Ident, Literal, TokenStream, TokenTree};

/// A body as a row of tokens, with the groups opened.
pub(super) struct Words(Vec<Word>);

/// A variable, or a field of one.
pub(super) struct Value {
    variable: String,
    field: Option<String>,
}

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

    /// Whether this name stands anywhere.
    pub(super) fn mention(&self, name: &str) -> bool {
        self.name(name).is_some()
    }

    /// Where this name stands first.
    pub(super) fn name(&self, name: &str) -> Option<&Ident> {
        self.0.iter().find_map(|word| match word {
            Word::Name(other) if other == name => Some(other),
            _ => None,
        })
    }

    /// The values that an expression is made of: variables, and the field that is taken of each.
    pub(super) fn values(&self) -> Vec<Value> {
        let is_value = |at: usize| {
            let is_part = self.is_sign_before(at, '.') || self.is_sign_before(at, ':');
            let is_path = self.is_sign(at + 1, ':') && self.is_sign(at + 2, ':');
            !is_part && !is_path && !self.is_called(at) && !self.is_sign(at + 1, '!')
        };
        let names = self.0.iter().enumerate().filter_map(|(at, word)| match word {
            Word::Name(name) if is_value(at) => Some((at, name.to_string())),
            _ => None,
        });
        names.map(|(at, variable)| Value { variable, field: self.field_of(at) }).collect()
    }

    /// Whether such a value may be used here: the same field, the whole of the variable, or a
    /// method of it, but not another field.
    pub(super) fn use_value(&self, value: &Value) -> bool {
        self.0.iter().enumerate().any(|(at, word)| match word {
            Word::Name(name) if *name == value.variable && !self.is_sign_before(at, '.') => {
                let field = self.field_of(at);
                field.is_none() || value.field.is_none() || field == value.field
            }
            Word::Literal(text) => is_formatted(&text.to_string(), &value.variable),
            _ => false,
        })
    }

    /// The field that is taken of the variable at this place; a method is not one.
    fn field_of(&self, at: usize) -> Option<String> {
        match self.0.get(at + 2) {
            Some(Word::Name(field)) if self.is_sign(at + 1, '.') && !self.is_called(at + 2) => {
                Some(field.to_string())
            }
            _ => None,
        }
    }

    pub(super) fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.0.iter().filter_map(|word| match word {
            Word::Literal(literal) => Some(literal),
            _ => None,
        })
    }

    /// A call of a method: `.NAME(`, also with a turbofish.
    pub(super) fn find_method(&self, names: &[&str]) -> Option<&Ident> {
        self.calls()
            .find(|(at, name)| self.is_sign_before(*at, '.') && is_any(name, names))
            .map(|(_, name)| name)
    }

    /// A call of a function by its name alone, `NAME(`, or by a path that ends in `BEFORE::NAME(`.
    pub(super) fn find_function(&self, before: &[&str], names: &[&str]) -> Option<&Ident> {
        let found = self.calls().find(|(at, name)| {
            let qualified = self.qualifier(*at).is_none_or(|qualifier| is_any(qualifier, before));
            is_any(name, names) && !self.is_sign_before(*at, '.') && qualified
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

    fn is_sign_before(&self, at: usize, sign: char) -> bool {
        at > 0 && self.is_sign(at - 1, sign)
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

    fn uses(key: &str, body: &str) -> bool {
        words(key).values().iter().any(|value| words(body).use_value(value))
    }

    #[test]
    fn a_value_is_used_by_its_field_its_whole_or_a_method_and_not_by_another_field() {
        assert!(uses("order.key", "header(K, &order.key)"));
        assert!(uses("order.key", "json(order)"));
        assert!(uses("order.key", "order.request()"));
        assert!(!uses("order.key", "json(order.id)"));
        assert!(!uses("order.key", "other.order"));
        assert!(uses("self.key", "self.send(x)"));
        assert!(!uses("self.key", "self.client.send(x)"));
        assert!(uses("key", "format!(\"k={key}\")") && uses("key", "format!(\"{key:?}\")"));
        assert!(!uses("key", "format!(\"{keys}\")") && !uses("key", "\"key\""));
        assert!(uses("Key::of(&order.id)", "send(order.id)"));
        assert!(!uses("next_key()", "send(next_key)") && !uses("Key::new()", "send(Key)"));
    }
}
