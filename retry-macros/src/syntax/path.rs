//! A path, such as a type or a bound is.

use super::{Row, Type, row_of};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, TokenTree};

/// A name in a path, and what stands in `<...>` behind it.
pub(crate) struct Segment {
    pub(crate) name: String,
    /// None if there are no such brackets.
    pub(crate) arguments: Option<Vec<Argument>>,
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
        let inside = row_of(fragment.stream());
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

impl Row<'_> {
    /// `NAME<...>::NAME<...>`, be it behind `<T as Trait>`.
    pub(super) fn path(&mut self) -> Option<Vec<Segment>> {
        let mut segments = Vec::new();
        if self.angles().is_none() {
            self.signs([':', ':']);
            segments.push(self.segment()?);
        }
        while self.signs([':', ':']) {
            segments.push(self.segment()?);
        }
        Some(segments)
    }

    fn segment(&mut self) -> Option<Segment> {
        let name = self.name()?.to_string();
        let mut behind = *self;
        behind.signs([':', ':']);
        let arguments = behind.angles();
        if arguments.is_some() {
            *self = behind;
        } else if self.group(Delimiter::Parenthesis).is_some() && self.signs(['-', '>']) {
            // Of a `Fn(...)` it is the end.
            self.until(&['+', ',', '>']);
        }
        let arguments =
            arguments.map(|inside| inside.split(',').into_iter().map(Argument::read).collect());
        Some(Segment { name, arguments })
    }
}

impl Argument {
    fn read(mut row: Row<'_>) -> Self {
        let all = row;
        if let (Some(name), true) = (row.lifetime(), row.is_empty()) {
            return Self::Lifetime(name.to_string());
        }
        let name = row.until(&['=', ':']);
        if row.sign('=').is_some() {
            let mut name = name;
            let text = name.name().map(ToString::to_string);
            return Self::Named(text.unwrap_or_default(), Type::of(row.rest()));
        }
        let is_constant = matches!(all.rest(), [TokenTree::Literal(_)])
            || all.is_at('-')
            || all.is_at_group(Delimiter::Brace);
        if is_constant || !row.is_empty() { Self::Other } else { Self::Type(Type::of(all.rest())) }
    }
}
