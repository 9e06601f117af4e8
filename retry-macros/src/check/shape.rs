//! The signature: what a loop can be made of.

use super::Case;
use crate::diag::{self, Mistakes};
use crate::list::items;
use crate::target::{Frame, bindings};
use syn::{FnArg, GenericArgument, Lifetime, PathArguments, ReceiverKind, Type, TypeReference};

/// A loop that waits has to be async: the function itself, or a future that it visibly makes.
pub(super) fn check_async(case: &Case<'_>, mistakes: &mut Mistakes) {
    let signature = &case.function.signature;
    if signature.asyncness.is_some()
        || signature.constness.is_some()
        || case.function.frame.is_some()
    {
        return;
    }
    let name = signature.ident.to_string();
    mistakes.push(if case.function.makes_future() {
        diag::FUTURE_OUT_OF_SIGHT.at(signature.fn_token, &[&name])
    } else if Frame::find(&case.function.body).is_some() {
        diag::FUTURE_BEHIND_A_NAME.at(&signature.output, &[&name])
    } else {
        diag::NOT_ASYNC.at(signature.fn_token, &[&name])
    });
}

/// A constant function has nothing to wait for.
pub(super) fn check_not_const(case: &Case<'_>, mistakes: &mut Mistakes) {
    if let Some(constness) = &case.function.signature.constness {
        mistakes.push(diag::CONST_FUNCTION.at(constness, &[]));
    }
}

/// There is something that can fail. Whether a named type is a `Result` is for the compiler.
pub(super) fn check_result(case: &Case<'_>, mistakes: &mut Mistakes) {
    match case.function.output() {
        None => mistakes.push(diag::NO_RESULT.at(&case.function.signature.ident, &[])),
        Some(Type::Tuple(unit)) if unit.elems.is_empty() => {
            mistakes.push(diag::NO_RESULT.at(unit, &[]));
        }
        Some(Type::Never(never)) => mistakes.push(diag::NO_RESULT.at(never, &[])),
        Some(Type::ImplTrait(other)) if !case.function.makes_future() => {
            mistakes.push(diag::NO_RESULT.at(other, &[]));
        }
        Some(_) => {}
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

/// What an attempt borrows from a value that it may change, the next attempt needs again.
pub(super) fn check_no_mutable_borrow_returned(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(ty) = case.function.output() else { return };
    let inputs = &case.function.signature.inputs;
    // A borrow without a lifetime is of `self`, where `self` is borrowed.
    let borrows_self = items(inputs).any(|input| {
        matches!(input, FnArg::Receiver(receiver)
            if matches!(receiver.kind, ReceiverKind::Reference(..)))
    });
    let lender = items(inputs)
        .filter_map(mutable_lender)
        .find(|(name, lifetime)| name == "self" || lifetime.is_some() || !borrows_self);
    if let Some((name, lifetime)) = lender {
        if has_borrow(ty, lifetime.as_ref()) {
            mistakes.push(diag::MUTABLE_BORROW_RETURNED.at(ty, &[&name]));
        }
    }
}

/// The name of a parameter that is borrowed mutably, and the lifetime of the borrow, if named.
fn mutable_lender(input: &FnArg) -> Option<(String, Option<Lifetime>)> {
    let ty = match input {
        FnArg::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, lifetime, Some(_)) => {
                return Some(("self".to_owned(), lifetime.clone()));
            }
            ReceiverKind::Typed(_, ty) => ty,
            _ => return None,
        },
        FnArg::Typed(parameter) => &parameter.ty,
    };
    let Type::Reference(TypeReference { mutability: Some(_), lifetime, .. }) = &**ty else {
        return None;
    };
    let name = match input {
        FnArg::Receiver(_) => "self".to_owned(),
        FnArg::Typed(parameter) => bindings(&parameter.pat).first()?.name.to_string(),
    };
    Some((name, lifetime.clone()))
}

/// Whether the value itself holds a borrow that may be of the lender: with its lifetime, or with
/// none where the lender has none. The arguments of a `dyn Fn(&mut T)` are not held.
fn has_borrow(ty: &Type, lender: Option<&Lifetime>) -> bool {
    match ty {
        Type::Reference(reference) => {
            reference.lifetime.as_ref() == lender
                || reference.mutability.is_some()
                || has_borrow(&reference.elem, lender)
        }
        Type::Path(path) => items(&path.path.segments).any(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(generics) => {
                items(&generics.args).any(|argument| match argument {
                    GenericArgument::Type(ty) => has_borrow(ty, lender),
                    GenericArgument::Lifetime(lifetime) if lifetime.ident == "_" => {
                        lender.is_none()
                    }
                    GenericArgument::Lifetime(lifetime) => lender == Some(lifetime),
                    _ => false,
                })
            }
            _ => false,
        }),
        Type::Tuple(tuple) => items(&tuple.elems).any(|ty| has_borrow(ty, lender)),
        Type::Paren(inner) => has_borrow(&inner.elem, lender),
        Type::Group(inner) => has_borrow(&inner.elem, lender),
        Type::Slice(inner) => has_borrow(&inner.elem, lender),
        Type::Array(inner) => has_borrow(&inner.elem, lender),
        _ => false,
    }
}

/// `clone(...)` names parameters.
pub(super) fn check_clones_are_parameters(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(names) = case.arguments.clone.get() else { return };
    let parameters = case.function.parameters();
    for name in names {
        if name == "self" {
            mistakes.push(diag::CLONE_OF_SELF.at(name, &[]));
        } else if !parameters.iter().any(|parameter| parameter.name == *name) {
            mistakes.push(diag::CLONE_OF_NO_PARAMETER.at(name, &[&name.to_string()]));
        }
    }
}
