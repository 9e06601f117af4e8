//! Types, patterns and expressions.

use super::{flat, flat_row, row};
use crate::syntax::{Argument, Kind, Path, Pattern, Row, Shape, Type};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Expr, GenericArgument, Pat, PathArguments, TypeParamBound, punctuated::Punctuated, visit,
};

/// A type looks the same to both, at every depth that matters.
pub(super) fn same_type(ty: &syn::Type) {
    let ours = Type::of(&row(ty));
    same_shape(&ours, ty);
    let mut erased = ty.clone();
    erase_impl(&mut erased);
    // Where there can be no `impl` the compiler says so.
    if !erased.to_token_stream().to_string().contains("impl") {
        let written = TokenStream::from(ours.without_impl());
        assert_eq!(flat(written), flat(erased), "{}", ty.to_token_stream());
    }
    assert_eq!(ours.is_reference(), matches!(ty, syn::Type::Reference(_)));
    assert_eq!(ours.is_impl(), matches!(ty, syn::Type::ImplTrait(_)));
    assert_eq!(ours.is_never(), matches!(ty, syn::Type::Never(_)));
    let is_unit = matches!(ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
    assert_eq!(ours.is_unit(), is_unit);
}

fn same_shape(ours: &Type, ty: &syn::Type) {
    assert_eq!(flat_row(ours.as_slice()), flat(ty));
    let text = ty.to_token_stream();
    match (ours.shape(), ty) {
        (Shape::Reference(lifetime, is_mutable, inner), syn::Type::Reference(reference)) => {
            let name = reference.lifetime.as_ref().map(|lifetime| lifetime.ident.to_string());
            assert_eq!((lifetime, is_mutable), (name, reference.mutability.is_some()), "{text}");
            same_shape(&inner, &reference.elem);
        }
        (Shape::Bounds(bounds), syn::Type::ImplTrait(ty)) => same_bounds(&bounds, &ty.bounds),
        (Shape::Bounds(bounds), syn::Type::TraitObject(ty)) => same_bounds(&bounds, &ty.bounds),
        (Shape::Path(ours), syn::Type::Path(path)) => {
            let behind = path.qself.as_ref().map_or(0, |qself| qself.position);
            same_path(&ours, path.path.segments.iter().skip(behind));
        }
        (Shape::Tuple(elements), syn::Type::Tuple(tuple)) => {
            assert_eq!(elements.len(), tuple.elems.len(), "{text}");
            elements.iter().zip(&tuple.elems).for_each(|(ours, ty)| same_shape(ours, ty));
        }
        (Shape::Group(inner), syn::Type::Paren(ty)) => same_shape(&inner, &ty.elem),
        (Shape::Group(inner), syn::Type::Group(ty)) => same_shape(&inner, &ty.elem),
        (Shape::Slice(inner), syn::Type::Slice(ty)) => same_shape(&inner, &ty.elem),
        (Shape::Slice(inner), syn::Type::Array(ty)) => same_shape(&inner, &ty.elem),
        // To the macros `_` and `fn` are names like others.
        (Shape::Bounds(_), syn::Type::FnPtr(_)) => {}
        (Shape::Path(path), syn::Type::Infer(_) | syn::Type::FnPtr(_)) => {
            assert!(path.arguments.is_empty(), "{text}");
        }
        (Shape::Other, other) => assert!(
            !matches!(
                other,
                syn::Type::Reference(_)
                    | syn::Type::ImplTrait(_)
                    | syn::Type::TraitObject(_)
                    | syn::Type::Path(_)
                    | syn::Type::Tuple(_)
                    | syn::Type::Paren(_)
                    | syn::Type::Slice(_)
                    | syn::Type::Array(_)
            ),
            "{text}"
        ),
        _ => panic!("another shape: {text}"),
    }
}

fn same_path<'p>(ours: &Path, path: impl Iterator<Item = &'p syn::PathSegment>) {
    let (mut name, mut is_generic, mut arguments) = (String::new(), false, Vec::new());
    for segment in path {
        name = segment.ident.to_string();
        is_generic = matches!(segment.arguments, PathArguments::AngleBracketed(_));
        if let PathArguments::AngleBracketed(generics) = &segment.arguments {
            // syn prints lifetimes before types, wherever they stand.
            let mut printed: Vec<_> = generics.args.iter().collect();
            printed.sort_by_key(|argument| !matches!(argument, GenericArgument::Lifetime(_)));
            arguments.append(&mut printed);
        }
    }
    assert_eq!((&ours.name, ours.is_generic), (&name, is_generic));
    assert_eq!(ours.arguments.len(), arguments.len(), "{name}");
    ours.arguments.iter().zip(arguments).for_each(|(ours, theirs)| same_argument(ours, theirs));
}

fn same_argument(ours: &Argument, argument: &GenericArgument) {
    match (ours, argument) {
        (Argument::Type(ours), GenericArgument::Type(ty)) => same_shape(ours, ty),
        (Argument::Lifetime(name), GenericArgument::Lifetime(lifetime)) => {
            assert_eq!(*name, lifetime.ident.to_string());
        }
        (Argument::Named(name, ours), GenericArgument::AssocType(named)) => {
            assert_eq!(*name, named.ident.to_string());
            same_shape(ours, &named.ty);
        }
        // What a name is assigned is a type to the macros, be it a constant.
        (Argument::Named(..), GenericArgument::AssocConst(_))
        | (Argument::Other, GenericArgument::Const(_) | GenericArgument::Constraint(_)) => {}
        _ => panic!("another argument: {}", argument.to_token_stream()),
    }
}

fn same_bounds<P>(ours: &[Path], bounds: &Punctuated<TypeParamBound, P>) {
    let traits: Vec<_> = bounds
        .iter()
        .filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => Some(&bound.path),
            _ => None,
        })
        .collect();
    // `use<...>` looks like a path with such a name.
    let ours: Vec<_> = ours.iter().filter(|path| path.name != "use").collect();
    assert_eq!(ours.len(), traits.len());
    ours.iter().zip(traits).for_each(|(ours, path)| same_path(ours, path.segments.iter()));
}

/// What the macros leave of a type inside a function.
fn erase_impl(ty: &mut syn::Type) {
    match ty {
        syn::Type::ImplTrait(_) => *ty = syn::parse_quote!(_),
        syn::Type::Path(path) => path.path.segments.iter_mut().for_each(erase_in_segment),
        syn::Type::TraitObject(object) => {
            for bound in &mut object.bounds {
                if let TypeParamBound::Trait(bound) = bound {
                    bound.path.segments.iter_mut().for_each(erase_in_segment);
                }
            }
        }
        syn::Type::Reference(inner) => erase_impl(&mut inner.elem),
        syn::Type::Paren(inner) => erase_impl(&mut inner.elem),
        syn::Type::Group(inner) => erase_impl(&mut inner.elem),
        syn::Type::Slice(inner) => erase_impl(&mut inner.elem),
        syn::Type::Array(inner) => erase_impl(&mut inner.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(erase_impl),
        _ => {}
    }
}

fn erase_in_segment(segment: &mut syn::PathSegment) {
    let PathArguments::AngleBracketed(list) = &mut segment.arguments else { return };
    for argument in &mut list.args {
        match argument {
            GenericArgument::Type(ty) => erase_impl(ty),
            GenericArgument::AssocType(named) => erase_impl(&mut named.ty),
            _ => {}
        }
    }
}

/// A pattern binds the same names to both, and is the same without their `mut`.
pub(super) fn same_pattern(pattern: &Pat) {
    let tokens = row(pattern);
    let ours = Pattern::of(&tokens);
    let mut names = Vec::new();
    bindings(pattern, &mut names);
    let found: Vec<_> = ours
        .bindings
        .iter()
        .map(|binding| (flat(&binding.name), binding.mutability.as_ref().map(flat)))
        .collect();
    assert_eq!(found, names, "{}", pattern.to_token_stream());
    assert_eq!(flat_row(&ours.written), flat(pattern));
    let mut without = pattern.clone();
    without_mut(&mut without);
    let written = ours.without_mut.as_ref().unwrap_or(&ours.written);
    assert_eq!(flat_row(written), flat(without), "{}", pattern.to_token_stream());
    let by_reference = matches!(pattern, Pat::Ident(name)
        if name.by_ref.is_some() && name.mutability.is_some());
    assert_eq!(ours.borrows_mutably(), by_reference, "{}", pattern.to_token_stream());
}

pub(super) type Name = (Vec<String>, Option<Vec<String>>);

/// The names that a pattern binds by value.
pub(super) fn bindings(pattern: &Pat, names: &mut Vec<Name>) {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() => {
            names.push((flat(&name.ident), name.mutability.map(flat)));
            if let Some((_, inner)) = &name.subpat {
                bindings(inner, names);
            }
        }
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|inner| bindings(inner, names)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|inner| bindings(inner, names)),
        Pat::Struct(fields) => fields.fields.iter().for_each(|field| bindings(&field.pat, names)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|inner| bindings(inner, names)),
        Pat::Reference(reference) => bindings(&reference.pat, names),
        Pat::Paren(inner) => bindings(&inner.pat, names),
        Pat::Type(typed) => bindings(&typed.pat, names),
        _ => {}
    }
}

pub(super) fn without_mut(pattern: &mut Pat) {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() => {
            name.mutability = None;
            if let Some((_, inner)) = &mut name.subpat {
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

/// An expression ends at the same token for both, and holds together in the same way.
pub(super) fn same_expression(expression: &Expr) {
    let tokens = row(quote!(#expression, next));
    let mut rest = Row::of(&tokens);
    let text = expression.to_token_stream();
    let kind = match expression {
        Expr::Path(_) => Kind::Path,
        Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Assign(_) | Expr::Closure(_) => {
            Kind::Compound
        }
        _ => Kind::Other,
    };
    assert_eq!(Kind::read(&mut rest), Some(kind), "{text}");
    assert_eq!(rest.rest().len(), 2, "{text}");
}

/// Every part of a piece of Rust.
pub(super) struct Parts {
    pub(super) count: usize,
}

impl<'ast> visit::Visit<'ast> for Parts {
    fn visit_type(&mut self, ty: &'ast syn::Type) {
        self.count += 1;
        same_type(ty);
        visit::visit_type(self, ty);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        self.count += 1;
        // The type is no part of it to the macros.
        if !matches!(pattern, Pat::Type(_)) {
            same_pattern(pattern);
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.count += 1;
        let tokens = row(expression);
        let is_let = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "let");
        let has_attributes = Row::of(&tokens).is_at('#');
        // `let` stands in conditions only, and is read with them.
        if !has_attributes && (!tokens.iter().any(is_let) || matches!(expression, Expr::If(_))) {
            same_expression(expression);
        }
        visit::visit_expr(self, expression);
    }
}
