//! A type as it is declared.

use super::{Attribute, Generics, Kind, Row, Type, row_of, visible_row_of};
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};

/// What a derive is given.
pub(crate) struct Input {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) data: Data,
}

pub(crate) enum Data {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
    /// The word `union`.
    Union(Ident),
}

pub(crate) struct Variant {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) attributes: Vec<Attribute>,
    /// None in a tuple.
    pub(crate) name: Option<Ident>,
    pub(crate) ty: Type,
}

impl Input {
    /// None if it is none of these.
    pub(crate) fn read(item: TokenStream) -> Option<Self> {
        let tokens = visible_row_of(item);
        let mut row = Row::of(&tokens);
        let attributes = Attribute::outer(&mut row);
        row.visibility();
        let word = row.name()?;
        let name = row.name()?.clone();
        let mut generics = Generics::read(&mut row);
        generics.read_conditions(&mut row);
        let data = match word.to_string().as_str() {
            "struct" => {
                let fields = fields(&mut row);
                generics.read_conditions(&mut row);
                Data::Struct(fields)
            }
            "enum" => Data::Enum(variants(row.group(Delimiter::Brace)?)),
            "union" => Data::Union(word.clone()),
            _ => return None,
        };
        Some(Self { attributes, name, generics, data })
    }
}

fn variants(braces: &Group) -> Vec<Variant> {
    let inside = row_of(braces.stream());
    let mut row = Row::of(&inside);
    let mut variants = Vec::new();
    while !row.is_empty() {
        let attributes = Attribute::outer(&mut row);
        row.visibility();
        let name = row.name().cloned();
        let fields = fields(&mut row);
        if let Some(name) = name {
            variants.push(Variant { attributes, name, fields });
        }
        // Its number, in which `<` is no bracket.
        if row.sign('=').is_some() {
            Kind::read(&mut row);
        }
        row.skip_to_comma();
        row.sign(',');
    }
    variants
}

/// `{ ... }`, `( ... )` or nothing.
fn fields(row: &mut Row<'_>) -> Vec<Field> {
    let (group, is_named) = match row.group(Delimiter::Brace) {
        Some(braces) => (braces, true),
        None => match row.group(Delimiter::Parenthesis) {
            Some(parentheses) => (parentheses, false),
            None => return Vec::new(),
        },
    };
    let inside = row_of(group.stream());
    let mut row = Row::of(&inside);
    let mut fields = Vec::new();
    while let Some(mut field) = row.piece(',') {
        let attributes = Attribute::outer(&mut field);
        field.visibility();
        let name = if is_named { field.name().cloned() } else { None };
        if is_named {
            field.sign(':');
        }
        fields.push(Field { attributes, name, ty: Type::of(field.until(&['=']).rest()) });
    }
    fields
}

impl Field {
    /// Its name, or its number, at the place of its type.
    pub(crate) fn member(&self, at: usize) -> TokenTree {
        if let Some(name) = &self.name {
            return name.clone().into();
        }
        let mut number = Literal::usize_unsuffixed(at);
        number.set_span(self.ty.span());
        number.into()
    }
}
