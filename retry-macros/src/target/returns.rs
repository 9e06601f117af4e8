//! What a returned future yields.

use crate::syntax::{Argument, Segment, Shape, Type};

/// `R` of `impl Future<Output = R>`, `Pin<Box<dyn Future<Output = R>>>` and `BoxFuture<'_, R>`.
pub(super) fn output_of(ty: &Type) -> Option<Type> {
    match ty.shape() {
        Shape::Impl(bounds) | Shape::Dyn(bounds) => bounds.into_iter().find_map(output_of_bound),
        Shape::Path(mut segments) => {
            let last = segments.pop()?;
            let mut types = last.arguments?.into_iter().filter_map(|argument| match argument {
                Argument::Type(ty) => Some(ty),
                _ => None,
            });
            match last.name.as_str() {
                "Pin" | "Box" => output_of(&types.next()?),
                "BoxFuture" | "LocalBoxFuture" => types.next(),
                _ => None,
            }
        }
        Shape::Group(inner) => output_of(&inner),
        _ => None,
    }
}

fn output_of_bound(mut bound: Vec<Segment>) -> Option<Type> {
    let last = bound.pop().filter(|last| last.name == "Future")?;
    last.arguments?.into_iter().find_map(|argument| match argument {
        Argument::Named(name, ty) if name == "Output" => Some(ty),
        _ => None,
    })
}

/// `Result<T, Error<E>>`, by the names alone.
pub(super) fn wraps_error(ty: &Type) -> bool {
    let arguments = ty.last_segment().and_then(|last| last.arguments);
    match arguments.unwrap_or_default().pop() {
        Some(Argument::Type(error)) => error
            .last_segment()
            .is_some_and(|last| last.name == "Error" && last.arguments.is_some()),
        _ => false,
    }
}
