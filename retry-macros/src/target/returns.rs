//! What a returned future yields.

use crate::list::items;
use syn::{GenericArgument, PathArguments, Type, TypeParamBound};

/// `R` of `impl Future<Output = R>`, `Pin<Box<dyn Future<Output = R>>>` and `BoxFuture<'_, R>`.
pub(super) fn output_of(ty: &Type) -> Option<&Type> {
    match ty {
        Type::ImplTrait(ty) => items(&ty.bounds).find_map(output_of_bound),
        Type::TraitObject(ty) => items(&ty.bounds).find_map(output_of_bound),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(generics) = &last.arguments else { return None };
            let mut types = items(&generics.args).filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            match last.ident.to_string().as_str() {
                "Pin" | "Box" => output_of(types.next()?),
                "BoxFuture" | "LocalBoxFuture" => types.next(),
                _ => None,
            }
        }
        Type::Paren(inner) => output_of(&inner.elem),
        Type::Group(inner) => output_of(&inner.elem),
        _ => None,
    }
}

fn output_of_bound(bound: &TypeParamBound) -> Option<&Type> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last().filter(|last| last.ident == "Future")?;
    let PathArguments::AngleBracketed(generics) = &last.arguments else { return None };
    items(&generics.args).find_map(|argument| match argument {
        GenericArgument::AssocType(output) if output.ident == "Output" => Some(&output.ty),
        _ => None,
    })
}

/// `Result<T, Error<E>>`, by the names alone.
pub(super) fn wraps_error(ty: &Type) -> bool {
    let Some(PathArguments::AngleBracketed(generics)) = last_arguments(ty) else { return false };
    match generics.args.last() {
        Some(GenericArgument::Type(error @ Type::Path(path))) => {
            let named = path.path.segments.last().is_some_and(|last| last.ident == "Error");
            named && matches!(last_arguments(error), Some(PathArguments::AngleBracketed(_)))
        }
        _ => false,
    }
}

fn last_arguments(ty: &Type) -> Option<&PathArguments> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.arguments),
        _ => None,
    }
}
