//! The signature: what a loop can be made of.

use super::Case;
use crate::diag::{self, Mistakes};
use crate::syntax::{Argument, Parameter, Shape, Type};
use crate::target::Frame;
use proc_macro2::TokenTree;

/// A loop that waits has to be async: the function itself, or a future that it visibly makes.
pub(super) fn check_async(case: &Case<'_>, mistakes: &mut Mistakes) {
    let signature = &case.function.signature;
    if signature.is_async || signature.constness.is_some() || case.function.frame.is_some() {
        return;
    }
    let (name, word) = (signature.name.to_string(), &signature.word);
    mistakes.push(match &signature.returned {
        _ if case.function.makes_future => diag::FUTURE_OUT_OF_SIGHT.at(word, &[&name]),
        Some(returned) if Frame::find(&case.function.body).is_some() => {
            let mut mistake = diag::FUTURE_BEHIND_A_NAME.at_all(returned.ty.as_slice(), &[&name]);
            mistake.first = returned.arrow;
            mistake
        }
        _ => diag::NOT_ASYNC.at(word, &[&name]),
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
    let Some(ty) = &case.function.output else {
        mistakes.push(diag::NO_RESULT.at(&case.function.signature.name, &[]));
        return;
    };
    if ty.is_unit() || ty.is_never() || ty.is_impl() && !case.function.makes_future {
        mistakes.push(diag::NO_RESULT.at_all(ty.as_slice(), &[]));
    }
}

/// One loop a function.
pub(super) fn check_attribute_once(case: &Case<'_>, mistakes: &mut Mistakes) {
    for attribute in &case.function.attributes {
        let is_retry = |last: &TokenTree| matches!(last, TokenTree::Ident(name) if name == "retry");
        if attribute.path().last().is_some_and(is_retry) {
            mistakes.push(diag::ATTRIBUTE_TWICE.at_all(attribute.path(), &[]));
        }
    }
}

/// What an attempt borrows from a value that it may change, the next attempt needs again.
pub(super) fn check_no_mutable_borrow_returned(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(ty) = &case.function.output else { return };
    // A borrow without a lifetime is of `self`, where `self` is borrowed.
    let receiver = case.function.signature.receiver().and_then(|first| first.receiver.as_ref());
    let borrows_self = receiver.is_some_and(|receiver| receiver.is_borrowed);
    for parameter in &case.function.signature.parameters {
        let Some((name, lifetime)) = mutable_lender(parameter) else { continue };
        if name == "self" || lifetime.is_some() || !borrows_self {
            if has_borrow(ty, lifetime.as_deref()) {
                mistakes.push(diag::MUTABLE_BORROW_RETURNED.at_all(ty.as_slice(), &[&name]));
            }
            return;
        }
    }
}

/// The name of a parameter that is borrowed mutably, and the lifetime of the borrow, if named.
fn mutable_lender(parameter: &Parameter) -> Option<(String, Option<String>)> {
    let lifetime = match (&parameter.receiver, &parameter.ty) {
        (Some(receiver), None) if receiver.is_borrowed => {
            receiver.mutability.as_ref()?;
            receiver.lifetime.clone()
        }
        (_, Some(ty)) if ty.is_reference() => match ty.shape() {
            Shape::Reference(lifetime, true, _) => lifetime,
            _ => return None,
        },
        _ => return None,
    };
    let name = match parameter.receiver {
        Some(_) => "self".to_owned(),
        None => parameter.pattern.bindings.first()?.name.to_string(),
    };
    Some((name, lifetime))
}

/// Whether the value itself holds a borrow that may be of the lender: with its lifetime, or with
/// none where the lender has none. The arguments of a `dyn Fn(&mut T)` are not held.
fn has_borrow(ty: &Type, lender: Option<&str>) -> bool {
    match ty.shape() {
        Shape::Reference(lifetime, is_mutable, inner) => {
            lifetime.as_deref() == lender || is_mutable || has_borrow(&inner, lender)
        }
        Shape::Path(path) => path.arguments.iter().any(|argument| match argument {
            Argument::Type(ty) => has_borrow(ty, lender),
            Argument::Lifetime(lifetime) if lifetime == "_" => lender.is_none(),
            Argument::Lifetime(lifetime) => lender == Some(lifetime),
            Argument::Named(..) | Argument::Other => false,
        }),
        Shape::Tuple(elements) => elements.iter().any(|ty| has_borrow(ty, lender)),
        Shape::Group(inner) | Shape::Slice(inner) => has_borrow(&inner, lender),
        _ => false,
    }
}

/// `clone(...)` names parameters.
pub(super) fn check_clones_are_parameters(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(names) = case.arguments.clone.get() else { return };
    for name in names {
        if name == "self" {
            mistakes.push(diag::CLONE_OF_SELF.at(name, &[]));
        } else if !case.function.has_parameter(name) {
            mistakes.push(diag::CLONE_OF_NO_PARAMETER.at(name, &[&name.to_string()]));
        }
    }
}
