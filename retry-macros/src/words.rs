//! Tokens in a row, to look for what they visibly do.
//!
//! A body is never parsed: it may be half typed, and what macros make of their tokens is unknown. It is
//! opened once, and every name is turned into text once: both ask the compiler.

use crate::tokens::Tokens;
use proc_macro2::{Delimiter, Ident, Literal, TokenStream, TokenTree};

/// A body as a row of tokens, with the groups opened.
#[derive(Default)]
pub(crate) struct Words {
    row: Vec<Word>,
    /// One bit for each kind of name that stands here: most words that are looked for stand nowhere.
    kinds: u128,
}

/// A variable, or a field of one.
pub(crate) struct Value {
    variable: String,
    field: Option<String>,
}

pub(crate) enum Word {
    Name(Ident, String),
    Sign(char),
    Literal(Literal),
    /// And at which word it closes.
    Open(Delimiter, usize),
    Close,
}

impl Words {
    pub(crate) fn of(tokens: &Tokens) -> Self {
        let mut words = Self::default();
        for token in tokens.as_slice() {
            words.push(token.clone());
        }
        words
    }

    /// The inside of a group.
    pub(crate) fn inside(tokens: TokenStream) -> Self {
        let mut words = Self::default();
        words.collect(tokens);
        words
    }

    fn collect(&mut self, tokens: TokenStream) {
        let tokens = tokens.into_iter();
        self.row.reserve(2 * tokens.size_hint().0);
        for token in tokens {
            self.push(token);
        }
    }

    fn push(&mut self, token: TokenTree) {
        match token {
            TokenTree::Ident(name) => {
                let text = name.to_string();
                self.kinds |= kind(&text);
                self.row.push(Word::Name(name, text));
            }
            TokenTree::Punct(sign) => self.row.push(Word::Sign(sign.as_char())),
            TokenTree::Literal(literal) => self.row.push(Word::Literal(literal)),
            TokenTree::Group(group) => {
                let open = self.row.len();
                self.row.push(Word::Close);
                self.collect(group.stream());
                self.row[open] = Word::Open(group.delimiter(), self.row.len());
                self.row.push(Word::Close);
            }
        }
    }

    pub(crate) fn as_slice(&self) -> &[Word] {
        &self.row
    }

    /// Whether this name stands anywhere.
    pub(crate) fn mention(&self, name: &str) -> bool {
        self.name(name).is_some()
    }

    /// Where this name stands first.
    pub(crate) fn name(&self, name: &str) -> Option<&Ident> {
        self.find(&[name], &|_| true)
    }

    /// Whether it begins with an attribute.
    pub(crate) fn start_with_attribute(&self) -> bool {
        self.is_sign(0, '#')
    }

    /// Whether it is more than one expression.
    pub(crate) fn have_statements(&self) -> bool {
        let mut at = 0;
        while let Some(word) = self.row.get(at) {
            match word {
                Word::Sign(';') => return true,
                Word::Open(_, close) => at = *close,
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// The values that an expression is made of: variables, and the field that is taken of each.
    pub(crate) fn values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        for (at, word) in self.row.iter().enumerate() {
            let Word::Name(_, variable) = word else { continue };
            let is_part = self.is_sign_before(at, '.') || self.is_sign_before(at, ':');
            let is_path = self.is_sign(at + 1, ':') && self.is_sign(at + 2, ':');
            if !is_part && !is_path && !self.is_called(at) && !self.is_sign(at + 1, '!') {
                let field = self.field_of(at).map(ToOwned::to_owned);
                values.push(Value { variable: variable.clone(), field });
            }
        }
        values
    }

    /// Whether such a value may be used here: the same field, the whole of the variable, or a
    /// method of it, but not another field.
    pub(crate) fn use_value(&self, value: &Value) -> bool {
        for (at, word) in self.row.iter().enumerate() {
            let is_used = match word {
                Word::Name(_, name) if *name == value.variable && !self.is_sign_before(at, '.') => {
                    let field = self.field_of(at);
                    field.is_none() || value.field.is_none() || field == value.field.as_deref()
                }
                Word::Literal(text) => is_formatted(&text.to_string(), &value.variable),
                _ => false,
            };
            if is_used {
                return true;
            }
        }
        false
    }

    /// The field that is taken of the variable at this place; a method is not one.
    fn field_of(&self, at: usize) -> Option<&str> {
        match self.row.get(at + 2) {
            Some(Word::Name(_, field)) if self.is_sign(at + 1, '.') && !self.is_called(at + 2) => {
                Some(field)
            }
            _ => None,
        }
    }

    /// A call of a method: `.NAME(`, also with a turbofish.
    pub(crate) fn find_method(&self, names: &[&str]) -> Option<&Ident> {
        self.find(names, &|at| self.is_sign_before(at, '.') && self.is_called(at))
    }

    /// A call of a function by its name alone, `NAME(`, or by a path that ends in `BEFORE::NAME(`.
    pub(crate) fn find_function(&self, before: &[&str], names: &[&str]) -> Option<&Ident> {
        self.find(names, &|at| {
            let qualified = || self.qualifier(at).is_none_or(|name| before.contains(&name));
            self.is_called(at) && !self.is_sign_before(at, '.') && qualified()
        })
    }

    /// A path that ends in `BEFORE::NAME`, called or not.
    pub(crate) fn find_path(&self, before: &str, names: &[&str]) -> Option<&Ident> {
        self.find(names, &|at| self.qualifier(at) == Some(before))
    }

    /// The first of these names that stands so.
    fn find(&self, names: &[&str], stands_so: &dyn Fn(usize) -> bool) -> Option<&Ident> {
        if names.iter().all(|name| self.kinds & kind(name) == 0) {
            return None;
        }
        for (at, word) in self.row.iter().enumerate() {
            match word {
                Word::Name(name, text) if names.contains(&text.as_str()) && stands_so(at) => {
                    return Some(name);
                }
                _ => {}
            }
        }
        None
    }

    /// Whether a parenthesis follows, be it behind a turbofish.
    fn is_called(&self, at: usize) -> bool {
        matches!(self.row.get(at + 1), Some(Word::Open(Delimiter::Parenthesis, _)))
            || self.is_sign(at + 1, ':') && self.is_sign(at + 2, ':') && self.is_sign(at + 3, '<')
    }

    /// The name before `::` before the name at this place.
    fn qualifier(&self, at: usize) -> Option<&str> {
        let before = at.checked_sub(3)?;
        let colons = self.is_sign(at - 1, ':') && self.is_sign(at - 2, ':');
        match self.row.get(before) {
            Some(Word::Name(_, name)) if colons => Some(name),
            _ => None,
        }
    }

    fn is_sign_before(&self, at: usize, sign: char) -> bool {
        at > 0 && self.is_sign(at - 1, sign)
    }

    fn is_sign(&self, at: usize, sign: char) -> bool {
        matches!(self.row.get(at), Some(Word::Sign(other)) if *other == sign)
    }
}

/// One bit, by the length and by the letters at both ends.
fn kind(name: &str) -> u128 {
    match *name.as_bytes() {
        [first, .., last] => {
            1 << ((name.len() * 7 + usize::from(first ^ last.rotate_left(2))) % 128)
        }
        _ => 1,
    }
}

/// Whether a string literal has `{NAME}` or `{NAME:...}`, as format strings have.
fn is_formatted(literal: &str, name: &str) -> bool {
    literal
        .split('{')
        .skip(1)
        .any(|inside| inside.strip_prefix(name).is_some_and(|rest| rest.starts_with(['}', ':'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        Words::inside(text.parse().unwrap())
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
