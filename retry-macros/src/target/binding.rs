//! The names that patterns bind.

use crate::list::{items, items_mut};
use syn::{Ident, Pat, Token};

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
        Pat::Tuple(tuple) => items(&tuple.elems).for_each(|inner| collect_bindings(inner, found)),
        Pat::TupleStruct(tuple) => {
            items(&tuple.elems).for_each(|inner| collect_bindings(inner, found));
        }
        Pat::Struct(fields) => {
            items(&fields.fields).for_each(|field| collect_bindings(&field.pat, found));
        }
        Pat::Slice(slice) => items(&slice.elems).for_each(|inner| collect_bindings(inner, found)),
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
        Pat::Tuple(tuple) => items_mut(&mut tuple.elems).for_each(without_mut),
        Pat::TupleStruct(tuple) => items_mut(&mut tuple.elems).for_each(without_mut),
        Pat::Struct(fields) => {
            items_mut(&mut fields.fields).for_each(|field| without_mut(&mut field.pat));
        }
        Pat::Slice(slice) => items_mut(&mut slice.elems).for_each(without_mut),
        Pat::Reference(reference) => without_mut(&mut reference.pat),
        Pat::Paren(inner) => without_mut(&mut inner.pat),
        Pat::Type(typed) => without_mut(&mut typed.pat),
        _ => {}
    }
}
