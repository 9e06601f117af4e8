//! What one attempt would leave behind for the next.

use super::Case;
use crate::diag::{self, Mistakes};
use crate::syntax::{Parameter, Shape, Type};
use crate::tokens::Tokens;
use proc_macro2::TokenTree;

/// An attempt that fails half-way must not leave a caller's value half changed.
pub(super) fn check_no_mutable_parameter(case: &Case<'_>, mistakes: &mut Mistakes) {
    let mut broken = Vec::new();
    for parameter in &case.function.signature.parameters {
        let (None, Some(ty)) = (&parameter.receiver, &parameter.ty) else { continue };
        if parameter.pattern.borrows_mutably() || is_mutable_borrow(ty) {
            broken.push(diag::MUTABLE_PARAMETER.at_all(ty.as_slice(), &[&name_of(parameter)]));
        }
    }
    case.unless_allowed("mutable_parameter", broken, mistakes);
}

fn is_mutable_borrow(ty: &Type) -> bool {
    match ty.as_slice() {
        // Nothing else can be one.
        [TokenTree::Punct(_) | TokenTree::Group(_), ..] => match ty.shape() {
            Shape::Reference(_, is_mutable, _) => is_mutable,
            Shape::Group(inner) => is_mutable_borrow(&inner),
            _ => false,
        },
        _ => false,
    }
}

fn name_of(parameter: &Parameter) -> String {
    match parameter.pattern.bindings.as_slice() {
        [binding] => binding.name.to_string(),
        _ => Tokens::from(parameter.pattern.written.clone()).text(),
    }
}

/// A `self` by value cannot be cloned for each attempt like other parameters.
pub(super) fn check_no_mutable_self(case: &Case<'_>, mistakes: &mut Mistakes) {
    let Some(parameter) = case.function.signature.receiver() else { return };
    let Some(receiver) = parameter.receiver.as_ref().filter(|r| !r.is_borrowed) else { return };
    // What is borrowed is the caller's, and `mut` is then for lending it on.
    let is_borrowed = || parameter.ty.as_ref().is_some_and(Type::mentions_reference);
    if let (Some(mutability), None) = (&receiver.mutability, &case.function.frame) {
        if !is_borrowed() {
            mistakes.push(diag::MUTABLE_SELF.at(mutability, &[]));
        }
    }
}

/// The modules of tokio and of the standard library that start tasks and threads.
const SPAWNERS: &[&str] = &["tokio", "task", "thread"];

/// What an attempt starts has to end with it.
pub(super) fn check_nothing_spawned(case: &Case<'_>, mistakes: &mut Mistakes) {
    let mut broken = Vec::new();
    for words in [&["spawn"][..], &["spawn_blocking", "spawn_local"]] {
        if let Some(name) = case.function.words.find_function(SPAWNERS, words) {
            broken.push(diag::SPAWN_IN_BODY.at(name, &[&name.to_string()]));
        }
    }
    case.unless_allowed("spawn_in_body", broken, mistakes);
}
