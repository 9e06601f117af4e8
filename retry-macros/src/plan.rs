//! What the loop needs, settled: no choice is left for [`crate::expand`].

use crate::list::items_mut;
use crate::parse::{Arguments, EffectKind, Value};
use crate::place::Place;
use crate::target::{Binding, Frame, Function, bindings, without_mut};
use crate::tokens::{Tokens, tokens};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, FnArg, GenericArgument, Ident, PathArguments, Signature, Token, Type,
    TypeParamBound, parse_quote,
};

/// Everything that stands in the expansion.
pub(crate) struct Plan {
    /// Attributes, visibility and signature as the user wrote them, without the `mut` of by-value
    /// parameters.
    pub(crate) head: Tokens,
    pub(crate) name: Ident,
    pub(crate) body: Group,
    /// Whether the body is more than one expression, so that no lint finds its braces needless. They
    /// stay the user's own then, because they tell the edition, and with it when the temporaries of
    /// the last expression are dropped.
    pub(crate) has_statements: bool,
    pub(crate) frame: Option<Frame>,
    /// The place of the braces of the whole function.
    pub(crate) braces: Span,
    /// Where the compiler is to report an argument that the first attempt used up.
    pub(crate) moves: Span,
    pub(crate) krate: Tokens,
    pub(crate) policy: Tokens,
    pub(crate) effect: EffectKind,
    pub(crate) allow: Vec<Ident>,
    pub(crate) downstream: Option<Value>,
    pub(crate) deadline: Option<Tokens>,
    pub(crate) classify: Option<Tokens>,
    pub(crate) reconcile: Option<Value>,
    /// The return type, with `_` for every `impl Trait`.
    pub(crate) returns: Tokens,
    /// Where that type stands.
    pub(crate) returned: Place,
    pub(crate) fresh: Vec<Fresh>,
}

/// A parameter that every attempt gets anew.
pub(crate) struct Fresh {
    /// What is said of the parameter: `#[cfg]`, for what is not there cannot be cloned, and lints.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) mutability: Option<Token![mut]>,
    /// Where it is bound.
    pub(crate) name: Ident,
    /// Where somebody asks for the clone.
    pub(crate) asked: Ident,
}

impl Plan {
    /// None if the function returns nothing, which the checks have reported.
    pub(crate) fn new(arguments: Arguments, function: Function) -> Option<Self> {
        let output = function.output()?;
        let returns = match &function.written {
            Some(written) => written.output.clone(),
            None => Tokens::of(&without_impl(output)),
        };
        let names = arguments.clone.take().unwrap_or_default();
        let moves = function.place_of_moves(&names);
        let Function {
            attributes,
            written,
            visibility,
            mut signature,
            body,
            words,
            mut frame,
            braces,
        } = function;
        let fresh = match &mut frame {
            Some(frame) if !frame.keeps_parameters() => fresh_in_frame(frame, &names),
            _ => fresh_parameters(&mut signature, &names),
        };
        let word = frame.as_ref().and_then(Frame::word_for_self);
        let in_frame = |value: Value| match &word {
            Some(word) => with_self(&value, word).unwrap_or(value),
            None => value,
        };
        let effect = match arguments.effects.into_iter().next().map(|effect| effect.kind) {
            Some(EffectKind::Keyed(key)) => EffectKind::Keyed(Box::new(in_frame(*key))),
            Some(other) => other,
            // Reported as missing, so that no loop is written.
            None => EffectKind::Once,
        };
        let attributes = Tokens::of_each(&attributes);
        let head = match written {
            Some(written) => attributes.and(written.head),
            None => attributes.and(Tokens::of(&visibility)).and(Tokens::of(&signature)),
        };
        Some(Self {
            head,
            name: signature.ident,
            body,
            has_statements: words.have_statements(),
            frame,
            braces,
            moves,
            krate: arguments
                .krate
                .take()
                .map_or_else(|| tokens! { ::retry_runtime }, |path| Tokens::of(&path)),
            // Reported as missing if it is not there.
            policy: arguments.policy.take().map(|value| value.tokens).unwrap_or_default(),
            effect,
            allow: arguments.allow.take().unwrap_or_default().of_the_policy(),
            downstream: arguments.downstream.take().map(in_frame),
            deadline: arguments.deadline.take().map(|value| in_frame(value).tokens),
            classify: arguments.classify.take().map(|value| value.tokens),
            reconcile: arguments.reconcile.take().map(in_frame),
            returned: Place::of(&returns),
            returns,
            fresh,
        })
    }
}

/// The parameters that an attempt may change or use up, so that each one starts from the arguments
/// as they were passed. Takes the `mut` from the signature: it moves to the clone.
fn fresh_parameters(signature: &mut Signature, names: &[Ident]) -> Vec<Fresh> {
    let mut fresh = Vec::new();
    for input in items_mut(&mut signature.inputs) {
        let FnArg::Typed(parameter) = input else { continue };
        let attributes = attributes_of_binding(&mut parameter.attrs);
        for Binding { name, mutability } in bindings(&parameter.pat) {
            let asked = names.iter().find(|asked| **asked == name);
            if mutability.is_some() || asked.is_some() {
                let asked = asked.unwrap_or(&name).clone();
                fresh.push(Fresh { attributes: attributes.clone(), mutability, name, asked });
            }
        }
        without_mut(&mut parameter.pat);
    }
    fresh
}

/// The attributes of a parameter that are about its binding, which is now in the body. An
/// expectation can be fulfilled in one place only, so it moves.
fn attributes_of_binding(attributes: &mut Vec<Attribute>) -> Vec<Attribute> {
    const LINTS: &[&str] = &["cfg", "allow", "warn", "deny", "forbid", "expect"];
    let is_about = |attribute: &&Attribute| LINTS.iter().any(|l| attribute.path().is_ident(l));
    let about = attributes.iter().filter(is_about).cloned().collect();
    attributes.retain(|attribute| !attribute.path().is_ident("expect"));
    about
}

/// The same where the parameters reach the body through the prelude of a frame.
fn fresh_in_frame(frame: &mut Frame, names: &[Ident]) -> Vec<Fresh> {
    let mut fresh: Vec<Fresh> = Vec::new();
    let mutable = frame.take_mutable();
    for Binding { name, .. } in frame.bindings() {
        let mutability = mutable.iter().find(|m| m.name == name).and_then(|m| m.mutability);
        let asked = names.iter().find(|asked| **asked == name);
        if mutability.is_some() || asked.is_some() {
            let asked = asked.unwrap_or(&name).clone();
            fresh.push(Fresh { attributes: Vec::new(), mutability, name, asked });
        }
    }
    fresh
}

/// The expression with another word for `self`.
fn with_self(value: &Value, word: &Ident) -> Option<Value> {
    let expression: Expr = syn::parse2(replace_self(value.tokens.clone().into(), word)).ok()?;
    Some(expression.into())
}

fn replace_self(tokens: TokenStream, word: &Ident) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(name) if name == "self" => {
            Ident::new(&word.to_string(), word.span().located_at(name.span())).into()
        }
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), replace_self(group.stream(), word));
            inside.set_span(group.span());
            inside.into()
        }
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

/// The type with `_` for every `impl Trait`, which cannot be written inside a function.
fn without_impl(ty: &Type) -> Type {
    let mut ty = ty.clone();
    erase_impl(&mut ty);
    ty
}

fn erase_impl(ty: &mut Type) {
    match ty {
        Type::ImplTrait(_) => {
            *ty = parse_quote!(_);
        }
        Type::Path(path) => {
            for segment in items_mut(&mut path.path.segments) {
                if let PathArguments::AngleBracketed(list) = &mut segment.arguments {
                    erase_arguments(&mut list.args);
                }
            }
        }
        Type::TraitObject(object) => items_mut(&mut object.bounds).for_each(erase_bound),
        Type::Reference(inner) => erase_impl(&mut inner.elem),
        Type::Paren(inner) => erase_impl(&mut inner.elem),
        Type::Group(inner) => erase_impl(&mut inner.elem),
        Type::Slice(inner) => erase_impl(&mut inner.elem),
        Type::Array(inner) => erase_impl(&mut inner.elem),
        Type::Tuple(tuple) => items_mut(&mut tuple.elems).for_each(erase_impl),
        _ => {}
    }
}

fn erase_arguments(arguments: &mut Punctuated<GenericArgument, Token![,]>) {
    for argument in items_mut(arguments) {
        match argument {
            GenericArgument::Type(ty) => erase_impl(ty),
            GenericArgument::AssocType(output) => erase_impl(&mut output.ty),
            _ => {}
        }
    }
}

fn erase_bound(bound: &mut TypeParamBound) {
    let TypeParamBound::Trait(bound) = bound else { return };
    for segment in items_mut(&mut bound.path.segments) {
        if let PathArguments::AngleBracketed(list) = &mut segment.arguments {
            erase_arguments(&mut list.args);
        }
    }
}
