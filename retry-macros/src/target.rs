//! The function under the attribute: its signature parsed, its body left as it is.

use crate::diag::{self, Mistakes};
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Pat, Signature, Token, Visibility, braced};

/// A function with a body.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    /// Braces and all between them, never parsed: a half-typed body passes through, and so does
    /// whatever the user's edition of the language makes of it.
    pub(crate) body: Group,
}

impl Function {
    pub(crate) fn parse(item: TokenStream, mistakes: &mut Mistakes) -> Option<Self> {
        match Self::read.parse2(item) {
            Ok(function) => Some(function),
            Err(error) => {
                mistakes.push(error);
                None
            }
        }
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = Attribute::parse_outer(input)?;
        let visibility: Visibility = input.parse()?;
        refuse_other_items(input)?;
        let signature: Signature = input.parse()?;
        if input.peek(Token![;]) {
            return Err(diag::BODY_MISSING.at(&signature.ident, &[]));
        }
        let content;
        let braces = braced!(content in input);
        let mut body = Group::new(Delimiter::Brace, content.parse()?);
        body.set_span(braces.span.join());
        Ok(Self { attributes, visibility, signature, body })
    }
}

fn refuse_other_items(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(Token![impl]) || (input.peek(Token![unsafe]) && input.peek2(Token![impl])) {
        return Err(diag::IMPL_BLOCK.at_span(keyword(input), &[]));
    }
    if input.peek(Token![trait]) || (input.peek(Token![unsafe]) && input.peek2(Token![trait])) {
        return Err(diag::TRAIT_BLOCK.at_span(keyword(input), &[]));
    }
    let starts_function = input.peek(Token![fn])
        || input.peek(Token![async])
        || input.peek(Token![const]) && !input.peek2(Ident)
        || input.peek(Token![unsafe])
        || input.peek(Token![extern]);
    if starts_function { Ok(()) } else { Err(diag::NOT_A_FUNCTION.at_span(input.span(), &[])) }
}

/// The word `impl` or `trait`, be it behind `unsafe`.
fn keyword(input: ParseStream<'_>) -> Span {
    let behind = input.fork();
    let _unsafe: syn::Result<Option<Token![unsafe]>> = behind.parse();
    behind.span()
}

/// Whether the tokens are items, or a function whose body does not parse yet. What is neither
/// cannot stand in a file, and would only add errors to the one that is reported.
pub(crate) fn is_item(tokens: &TokenStream) -> bool {
    Function::read.parse2(tokens.clone()).is_ok()
        || syn::parse2::<syn::TraitItem>(tokens.clone()).is_ok()
        || syn::parse2::<syn::Item>(tokens.clone()).is_ok()
}

/// A name that a parameter binds.
pub(crate) struct Binding {
    pub(crate) name: Ident,
    pub(crate) mutability: Option<Token![mut]>,
}

/// The names that a pattern binds by value, in order.
pub(crate) fn bindings(pattern: &Pat) -> Vec<Binding> {
    let mut found = Vec::new();
    collect_bindings(pattern, &mut found);
    found
}

fn collect_bindings(pattern: &Pat, found: &mut Vec<Binding>) {
    match pattern {
        Pat::Ident(binding) if binding.by_ref.is_none() => {
            found.push(Binding { name: binding.ident.clone(), mutability: binding.mutability });
            if let Some((_, inner)) = &binding.subpat {
                collect_bindings(inner, found);
            }
        }
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|inner| collect_bindings(inner, found)),
        Pat::TupleStruct(tuple) => {
            tuple.elems.iter().for_each(|inner| collect_bindings(inner, found));
        }
        Pat::Struct(fields) => {
            fields.fields.iter().for_each(|field| collect_bindings(&field.pat, found));
        }
        Pat::Slice(slice) => slice.elems.iter().for_each(|inner| collect_bindings(inner, found)),
        Pat::Reference(reference) => collect_bindings(&reference.pat, found),
        Pat::Paren(inner) => collect_bindings(&inner.pat, found),
        Pat::Type(typed) => collect_bindings(&typed.pat, found),
        _ => {}
    }
}

/// Takes `mut` from the names that a pattern binds by value.
pub(crate) fn without_mut(pattern: &mut Pat) {
    match pattern {
        Pat::Ident(binding) if binding.by_ref.is_none() => {
            binding.mutability = None;
            if let Some((_, inner)) = &mut binding.subpat {
                without_mut(inner);
            }
        }
        Pat::Tuple(tuple) => tuple.elems.iter_mut().for_each(without_mut),
        Pat::TupleStruct(tuple) => tuple.elems.iter_mut().for_each(without_mut),
        Pat::Struct(fields) => {
            fields.fields.iter_mut().for_each(|field| without_mut(&mut field.pat));
        }
        Pat::Slice(slice) => slice.elems.iter_mut().for_each(without_mut),
        Pat::Reference(reference) => without_mut(&mut reference.pat),
        Pat::Paren(inner) => without_mut(&mut inner.pat),
        Pat::Type(typed) => without_mut(&mut typed.pat),
        _ => {}
    }
}
