//! The signature: what a loop can be made of.

use super::Case;
use crate::diag::{self, Mistakes};
use crate::target::bindings;
use syn::{FnArg, GenericArgument, PathArguments, ReceiverKind, ReturnType, Type};

/// A loop that waits has to be async.
pub(super) fn check_async(case: &Case<'_>, mistakes: &mut Mistakes) {
    let signature = &case.function.signature;
    if signature.asyncness.is_none() {
        mistakes.push(diag::NOT_ASYNC.at(signature.fn_token, &[&signature.ident.to_string()]));
    }
}

/// A constant function has nothing to wait for.
pub(super) fn check_not_const(case: &Case<'_>, mistakes: &mut Mistakes) {
    if let Some(constness) = &case.function.signature.constness {
        mistakes.push(diag::CONST_FUNCTION.at(constness, &[]));
    }
}

/// There is something that can fail. Whether a named type is a `Result` is for the compiler.
pub(super) fn check_result(case: &Case<'_>, mistakes: &mut Mistakes) {
    match &case.function.signature.output {
        ReturnType::Default => {
            mistakes.push(diag::NO_RESULT.at(&case.function.signature.ident, &[]));
        }
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(unit) if unit.elems.is_empty() => {
                mistakes.push(diag::NO_RESULT.at(unit, &[]));
            }
            Type::Never(never) => mistakes.push(diag::NO_RESULT.at(never, &[])),
            _ => {}
        },
    }
}

/// One loop a function.
pub(super) fn check_attribute_once(case: &Case<'_>, mistakes: &mut Mistakes) {
    for attribute in &case.function.attributes {
        if attribute.path().segments.last().is_some_and(|last| last.ident == "retry") {
            mistakes.push(diag::ATTRIBUTE_TWICE.at(attribute.path(), &[]));
        }
    }
}

/// What an attempt borrows mutably from `self`, the next attempt needs again.
pub(super) fn check_no_mutable_borrow_returned(case: &Case<'_>, mistakes: &mut Mistakes) {
    let signature = &case.function.signature;
    let lends_mutably = signature.receiver().is_some_and(|receiver| match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => has_mutable_borrow(ty),
        _ => false,
    });
    let ReturnType::Type(_, ty) = &signature.output else { return };
    if lends_mutably && has_mutable_borrow(ty) {
        mistakes.push(diag::MUTABLE_BORROW_RETURNED.at(ty, &[]));
    }
}

/// Whether the value itself holds one; the arguments of a `dyn Fn(&mut T)` are not held.
fn has_mutable_borrow(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => {
            reference.mutability.is_some() || has_mutable_borrow(&reference.elem)
        }
        Type::Path(path) => path.path.segments.iter().any(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(list) => list.args.iter().any(
                |argument| matches!(argument, GenericArgument::Type(ty) if has_mutable_borrow(ty)),
            ),
            _ => false,
        }),
        Type::Tuple(tuple) => tuple.elems.iter().any(has_mutable_borrow),
        Type::Paren(inner) => has_mutable_borrow(&inner.elem),
        Type::Group(inner) => has_mutable_borrow(&inner.elem),
        Type::Slice(inner) => has_mutable_borrow(&inner.elem),
        Type::Array(inner) => has_mutable_borrow(&inner.elem),
        _ => false,
    }
}

/// `clone(...)` names parameters.
pub(super) fn check_clones_are_parameters(case: &Case<'_>, mistakes: &mut Mistakes) {
    let inputs = case.function.signature.inputs.iter();
    let parameters: Vec<_> = inputs
        .flat_map(|input| match input {
            FnArg::Typed(parameter) => bindings(&parameter.pat),
            FnArg::Receiver(_) => Vec::new(),
        })
        .collect();
    for name in case.arguments.clone.get().into_iter().flatten() {
        if name == "self" {
            mistakes.push(diag::CLONE_OF_SELF.at(name, &[]));
        } else if !parameters.iter().any(|parameter| parameter.name == *name) {
            mistakes.push(diag::CLONE_OF_NO_PARAMETER.at(name, &[&name.to_string()]));
        }
    }
}
