//! A path, such as a type or a bound is.

use super::{Row, Type, visible_row_of};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, TokenTree};

#[derive(Default)]
pub(crate) struct Path {
    /// The last of its names.
    pub(crate) name: String,
    /// Whether `<...>` stands behind that one.
    pub(crate) is_generic: bool,
    /// What stands in all its `<...>`.
    pub(crate) arguments: Vec<Argument>,
}

pub(crate) enum Argument {
    Lifetime(String),
    Type(Type),
    /// `NAME = TYPE`.
    Named(String, Type),
    /// A bound, or a constant that is visibly one.
    Other,
}

/// A path without any `<...>`, such as leads to a crate.
pub(crate) fn module(row: &mut Row<'_>) -> Option<Tokens> {
    if let Some(fragment) = row.group(Delimiter::None) {
        let inside = visible_row_of(fragment.stream());
        return module(&mut Row::of(&inside));
    }
    let start = *row;
    row.signs([':', ':']);
    row.name()?;
    while row.signs([':', ':']) {
        row.name()?;
    }
    Some(row.since(start).to_vec().into())
}

impl Path {
    /// `NAME<...>::NAME<...>`, be it behind `<T as Trait>`.
    pub(super) fn read(row: &mut Row<'_>) -> Option<Self> {
        let mut path = Self::default();
        if row.angles().is_none() {
            row.signs([':', ':']);
            path.read_name(row)?;
        }
        while row.signs([':', ':']) {
            path.read_name(row)?;
        }
        Some(path)
    }

    fn read_name(&mut self, row: &mut Row<'_>) -> Option<()> {
        self.name = row.name()?.to_string();
        let mut behind = *row;
        behind.signs([':', ':']);
        let arguments = behind.angles();
        self.is_generic = arguments.is_some();
        if let Some(mut arguments) = arguments {
            *row = behind;
            while let Some(argument) = arguments.piece(',') {
                self.arguments.push(Argument::read(argument));
            }
        } else if row.group(Delimiter::Parenthesis).is_some() && row.signs(['-', '>']) {
            // Of a `Fn(...)` it is the end.
            row.until(&['+', ',', '>']);
        }
        Some(())
    }
}

impl Argument {
    fn read(mut row: Row<'_>) -> Self {
        let all = row;
        if let (Some(name), true) = (row.lifetime(), row.is_empty()) {
            return Self::Lifetime(name.to_string());
        }
        let mut name = row.until(&['=', ':']);
        if row.sign('=').is_some() {
            return match name.name() {
                Some(name) => Self::Named(name.to_string(), Type::of(row.rest())),
                None => Self::Other,
            };
        }
        let is_constant = matches!(all.rest(), [TokenTree::Literal(_)])
            || all.is_at_word("true")
            || all.is_at_word("false")
            || all.is_at('-')
            || all.is_at_group(Delimiter::Brace);
        if is_constant || !row.is_empty() { Self::Other } else { Self::Type(Type::of(all.rest())) }
    }
}
