//! What one attempt would leave behind for the next.

use super::Case;
use crate::diag::{self, Mistakes};
use crate::list::items;
use crate::target::bindings;
use quote::ToTokens;
use syn::{FnArg, Pat, PatType, ReceiverKind, Type};

/// An attempt that fails half-way must not leave a caller's value half changed.
pub(super) fn check_no_mutable_parameter(case: &Case<'_>, mistakes: &mut Mistakes) {
    let mutable = items(&case.function.signature.inputs).filter_map(|input| match input {
        FnArg::Typed(parameter) if borrows_mutably(parameter) => Some(parameter),
        _ => None,
    });
    let broken = mutable
        .map(|parameter| diag::MUTABLE_PARAMETER.at(&parameter.ty, &[&name_of(parameter)]))
        .collect();
    case.unless_allowed("mutable_parameter", broken, mistakes);
}

fn borrows_mutably(parameter: &PatType) -> bool {
    let by_pattern = matches!(&*parameter.pat, Pat::Ident(name)
        if name.by_ref.is_some() && name.mutability.is_some());
    by_pattern || is_mutable_borrow(&parameter.ty)
}

fn is_mutable_borrow(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_some(),
        Type::Paren(inner) => is_mutable_borrow(&inner.elem),
        Type::Group(inner) => is_mutable_borrow(&inner.elem),
        _ => false,
    }
}

fn name_of(parameter: &PatType) -> String {
    match bindings(&parameter.pat).as_slice() {
        [binding] => binding.name.to_string(),
        _ => parameter.pat.to_token_stream().to_string(),
    }
}

/// A `self` by value cannot be cloned for each attempt like other parameters.
pub(super) fn check_no_mutable_self(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(receiver) = case.function.signature.receiver() else { return };
    // What is borrowed is the caller's, and `mut` is then for lending it on.
    let is_borrowed = match &receiver.kind {
        ReceiverKind::Typed(_, ty) => ty.to_token_stream().to_string().contains('&'),
        _ => false,
    };
    if let (Some(mutability), None, false) =
        (&receiver.mutability, &case.function.frame, is_borrowed)
    {
        mistakes.push(diag::MUTABLE_SELF.at(mutability, &[]));
    }
}

/// The modules of tokio and of the standard library that start tasks and threads.
const SPAWNERS: &[&str] = &["tokio", "task", "thread"];

/// What an attempt starts has to end with it.
pub(super) fn check_nothing_spawned(case: &Case<'_>, mistakes: &mut Mistakes) {
    let words = [&["spawn"][..], &["spawn_blocking", "spawn_local"]];
    let broken = words
        .iter()
        .filter_map(|words| case.function.words.find_function(SPAWNERS, words))
        .map(|name| diag::SPAWN_IN_BODY.at(name, &[&name.to_string()]))
        .collect();
    case.unless_allowed("spawn_in_body", broken, mistakes);
}
