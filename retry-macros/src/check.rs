//! What is refused before anything is written: one function a rule.
//!
//! The numbers of the policy are judged by the runtime's own `Policy::check`, which the expansion
//! has the compiler evaluate.

use crate::diag::{self, Mistakes};
use crate::parse::Arguments;
use crate::target::{Function, bindings};
use syn::{FnArg, GenericArgument, Ident, PathArguments, ReceiverKind, ReturnType, Type};

/// Every rule, each of which may add a mistake.
pub(crate) fn all(arguments: &Arguments, function: &Function, mistakes: &mut Mistakes) {
    check_policy(arguments, function, mistakes);
    check_effect(arguments, function, mistakes);
    check_async(function, mistakes);
    check_const(function, mistakes);
    check_result(function, mistakes);
    check_attribute_once(function, mistakes);
    check_mutable_borrow(function, mistakes);
    check_clone(arguments, function, mistakes);
}

/// There is a policy.
fn check_policy(arguments: &Arguments, function: &Function, mistakes: &mut Mistakes) {
    if arguments.policy.get().is_none() && !arguments.attempted(&["policy"]) {
        mistakes.at(&function.signature.ident, diag::POLICY_MISSING);
    }
}

/// Exactly one effect is stated.
fn check_effect(arguments: &Arguments, function: &Function, mistakes: &mut Mistakes) {
    let Some(first) = arguments.effects.first() else {
        if !arguments.attempted(&["idempotent", "idempotency_key", "once"]) {
            mistakes.at(&function.signature.ident, diag::EFFECT_MISSING);
        }
        return;
    };
    for other in arguments.effects.iter().skip(1) {
        let (first, second) = (first.word.to_string(), other.word.to_string());
        let sentence = if first == second {
            diag::argument_twice(&second)
        } else {
            diag::two_effects(&first, &second)
        };
        mistakes.at(&other.word, sentence);
    }
}

/// A loop that waits has to be async.
fn check_async(function: &Function, mistakes: &mut Mistakes) {
    if function.signature.asyncness.is_none() {
        mistakes.at(function.signature.fn_token, diag::NOT_ASYNC);
    }
}

/// A constant function has nothing to wait for.
fn check_const(function: &Function, mistakes: &mut Mistakes) {
    if let Some(constness) = &function.signature.constness {
        mistakes.at(constness, diag::CONST_FUNCTION);
    }
}

/// There is something that can fail. Whether a named type is a `Result` is for the compiler.
fn check_result(function: &Function, mistakes: &mut Mistakes) {
    match &function.signature.output {
        ReturnType::Default => mistakes.at(&function.signature.ident, diag::NO_RESULT),
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(unit) if unit.elems.is_empty() => mistakes.at(unit, diag::NO_RESULT),
            Type::Never(never) => mistakes.at(never, diag::NO_RESULT),
            _ => {}
        },
    }
}

/// One loop a function.
fn check_attribute_once(function: &Function, mistakes: &mut Mistakes) {
    for attribute in &function.attributes {
        if attribute.path().segments.last().is_some_and(|last| last.ident == "retry") {
            mistakes.at(attribute.path(), diag::ATTRIBUTE_TWICE);
        }
    }
}

/// What an attempt borrows mutably from `self`, the next attempt needs again.
fn check_mutable_borrow(function: &Function, mistakes: &mut Mistakes) {
    let lends_mutably =
        function.signature.receiver().is_some_and(|receiver| match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
            ReceiverKind::Typed(_, ty) => has_mutable_borrow(ty),
            _ => false,
        });
    let ReturnType::Type(_, ty) = &function.signature.output else { return };
    if lends_mutably && has_mutable_borrow(ty) {
        mistakes.at(ty, diag::MUTABLE_BORROW_RETURNED);
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
fn check_clone(arguments: &Arguments, function: &Function, mistakes: &mut Mistakes) {
    for name in arguments.clone.get().into_iter().flatten() {
        if name == "self" {
            mistakes.at(name, diag::clone_of_self());
        } else if !is_parameter(function, name) {
            mistakes.at(name, diag::clone_of_no_parameter(&name.to_string()));
        }
    }
}

fn is_parameter(function: &Function, name: &Ident) -> bool {
    function.signature.inputs.iter().any(|input| match input {
        FnArg::Typed(parameter) => bindings(&parameter.pat).iter().any(|known| known.name == *name),
        FnArg::Receiver(_) => false,
    })
}
