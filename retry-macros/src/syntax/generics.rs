//! The parameters of a type, and the conditions on them.

use super::{Attribute, Row};
use crate::tokens::{Tokens, tokens};
use proc_macro2::{Delimiter, TokenTree};

#[derive(Default)]
pub(crate) struct Generics {
    /// `<` and `>`.
    brackets: Option<[TokenTree; 2]>,
    parameters: Vec<Parameter>,
    /// The word `where`.
    word: Option<TokenTree>,
    /// What stands behind it.
    conditions: Vec<TokenTree>,
}

struct Parameter {
    /// All but its default.
    declared: Vec<TokenTree>,
    name: Vec<TokenTree>,
    is_type: bool,
    comma: Option<TokenTree>,
}

impl Generics {
    /// `<...>`, if it stands there.
    pub(super) fn read(row: &mut Row<'_>) -> Self {
        let mut generics = Self::default();
        if let Some(open) = row.sign('<') {
            let mut inside = row.until(&['>']);
            while !inside.is_empty() {
                generics.parameters.push(Parameter::read(&mut inside));
            }
            generics.brackets = row.sign('>').map(|close| [open.clone(), close.clone()]);
        }
        generics
    }

    /// `where ...`, if it stands there, up to braces or to the end.
    pub(super) fn read_conditions(&mut self, row: &mut Row<'_>) {
        if row.is_at_word("where") {
            self.word = row.next().cloned();
            let conditions = row.before(&|token| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(sign) => sign.as_char() == ';',
                _ => false,
            });
            self.conditions = conditions.rest().to_vec();
        }
    }

    pub(crate) fn have_types(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.is_type)
    }

    /// `<'a, T: Bound>`, as it stands behind `impl`.
    pub(crate) fn declared(&self) -> Tokens {
        self.each(|parameter| &parameter.declared)
    }

    /// `<'a, T>`, as it stands behind the name of the type.
    pub(crate) fn named(&self) -> Tokens {
        self.each(|parameter| &parameter.name)
    }

    fn each(&self, part: fn(&Parameter) -> &Vec<TokenTree>) -> Tokens {
        let mut tokens = Tokens::new();
        let Some([open, close]) = self.brackets.as_ref().filter(|_| !self.parameters.is_empty())
        else {
            return tokens;
        };
        tokens.push(open.clone());
        for parameter in &self.parameters {
            tokens.add(part(parameter).as_slice());
            tokens.add(parameter.comma.clone());
        }
        tokens.push(close.clone());
        tokens
    }

    /// The conditions, and one more.
    pub(crate) fn conditions(&self, more: Option<Tokens>) -> Tokens {
        if self.conditions.is_empty() && more.is_none() {
            return Tokens::default();
        }
        let conditions = Tokens::from(self.conditions.clone());
        let has_end = match self.conditions.last() {
            Some(TokenTree::Punct(sign)) => sign.as_char() == ',',
            last => last.is_none(),
        };
        let comma = (more.is_some() && !has_end).then(|| tokens! { , });
        let word = self.word.clone().map(Tokens::from);
        word.unwrap_or_else(|| tokens! { where }).and(conditions).and(comma).and(more)
    }
}

impl Parameter {
    /// One parameter, and the comma behind it.
    fn read(rest: &mut Row<'_>) -> Self {
        let all = rest.until(&[',']);
        let comma = rest.sign(',').cloned();
        let mut row = all;
        let declared = row.until(&['=']).rest().to_vec();
        row = all;
        Attribute::outer(&mut row);
        let start = row;
        let is_lifetime = row.lifetime().is_some();
        if is_lifetime {
            return Self { declared, name: row.since(start).to_vec(), is_type: false, comma };
        }
        let is_type = row.word("const").is_none();
        let start = row;
        row.name();
        Self { declared, name: row.since(start).to_vec(), is_type, comma }
    }
}
