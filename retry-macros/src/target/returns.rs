//! What a returned future yields.

use crate::syntax::{Argument, Path, Shape, Type};

/// `R` of `impl Future<Output = R>`, `Pin<Box<dyn Future<Output = R>>>` and `BoxFuture<'_, R>`.
pub(super) fn output_of(ty: &Type) -> Option<Type> {
    match ty.shape() {
        Shape::Bounds(bounds) => bounds.iter().find_map(output_of_bound),
        Shape::Path(path) => match path.name.as_str() {
            "Pin" | "Box" => output_of(first_type(&path)?),
            "BoxFuture" | "LocalBoxFuture" => first_type(&path).cloned(),
            _ => None,
        },
        Shape::Group(inner) => output_of(&inner),
        _ => None,
    }
}

fn first_type(path: &Path) -> Option<&Type> {
    path.arguments.iter().find_map(|argument| match argument {
        Argument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn output_of_bound(bound: &Path) -> Option<Type> {
    if bound.name != "Future" {
        return None;
    }
    bound.arguments.iter().find_map(|argument| match argument {
        Argument::Named(name, ty) if name == "Output" => Some(ty.clone()),
        _ => None,
    })
}

/// `Result<T, Error<E>>`, by the names alone.
pub(super) fn wraps_error(ty: &Type) -> bool {
    let Some(result) = ty.path() else { return false };
    match result.arguments.last() {
        Some(Argument::Type(error)) if result.is_generic => {
            error.path().is_some_and(|error| error.name == "Error" && error.is_generic)
        }
        _ => false,
    }
}
