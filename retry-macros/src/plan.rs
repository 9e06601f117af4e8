//! What the loop needs, settled: no choice is left for [`crate::expand`].

use crate::parse::{Arguments, EffectKind, Value};
use crate::place::Place;
use crate::syntax::{Attribute, Binding, Signature, row_of};
use crate::target::{Frame, Function};
use crate::tokens::{Tokens, tokens};
use proc_macro2::{Group, Ident, Span, TokenTree};

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
    pub(crate) mutability: Option<Ident>,
    /// Where it is bound.
    pub(crate) name: Ident,
    /// Where somebody asks for the clone.
    pub(crate) asked: Ident,
}

impl Plan {
    /// None if the function returns nothing, which the checks have reported.
    pub(crate) fn new(arguments: Arguments, function: Function) -> Option<Self> {
        let returns = function.output.as_ref()?.without_impl();
        let names = arguments.clone.take().unwrap_or_default();
        let moves = function.place_of_moves(&names);
        let Function { attributes, mut signature, body, words, frame, braces, .. } = function;
        let fresh = match &frame {
            Some(frame) if !frame.keeps_parameters() => fresh_in_frame(frame, &names),
            _ => fresh_parameters(&mut signature, &names),
        };
        let word = frame.as_ref().and_then(Frame::word_for_self);
        let in_frame = |value: Value| match &word {
            Some(word) => with_self(&value, word),
            None => value,
        };
        let effect = match arguments.effects.into_iter().next().map(|effect| effect.kind) {
            Some(EffectKind::Keyed(key)) => EffectKind::Keyed(Box::new(in_frame(*key))),
            Some(other) => other,
            // Reported as missing, so that no loop is written.
            None => EffectKind::Once,
        };
        let name = signature.name.clone();
        Some(Self {
            head: Tokens::of_each(&attributes).and(signature.into_tokens()),
            name,
            body,
            has_statements: words.have_statements(),
            frame,
            braces,
            moves,
            krate: arguments.krate.take().unwrap_or_else(|| tokens! { ::retry_runtime }),
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
    for parameter in &mut signature.parameters {
        if parameter.receiver.is_some() {
            continue;
        }
        let attributes = attributes_of_binding(&parameter.attributes);
        Fresh::collect(&parameter.pattern.bindings, names, &attributes, &mut fresh);
        // An expectation can be fulfilled in one place only, so it moves.
        parameter.take("expect");
        parameter.take_mut();
    }
    fresh
}

/// The attributes of a parameter that are about its binding, which is now in the body.
fn attributes_of_binding(attributes: &[Attribute]) -> Vec<Attribute> {
    const LINTS: &[&str] = &["cfg", "allow", "warn", "deny", "forbid", "expect"];
    let mut about = Vec::new();
    for attribute in attributes {
        if LINTS.iter().any(|lint| attribute.is(lint)) {
            about.push(attribute.clone());
        }
    }
    about
}

/// The same where the parameters reach the body through the prelude of a frame.
fn fresh_in_frame(frame: &Frame, names: &[Ident]) -> Vec<Fresh> {
    let mut fresh = Vec::new();
    Fresh::collect(frame.bindings(), names, &[], &mut fresh);
    fresh
}

impl Fresh {
    /// Those that an attempt changes or, as these names say, uses up.
    fn collect(
        bindings: &[Binding],
        names: &[Ident],
        attributes: &[Attribute],
        fresh: &mut Vec<Self>,
    ) {
        for Binding { name, mutability } in bindings {
            let asked = names.iter().find(|asked| *asked == name);
            if mutability.is_some() || asked.is_some() {
                fresh.push(Self {
                    attributes: attributes.to_vec(),
                    mutability: mutability.clone(),
                    name: name.clone(),
                    asked: asked.unwrap_or(name).clone(),
                });
            }
        }
    }
}

/// The expression with another word for `self`.
fn with_self(value: &Value, word: &Ident) -> Value {
    Value { kind: value.kind, tokens: replace_self(value.tokens.as_slice(), word) }
}

fn replace_self(tokens: &[TokenTree], word: &Ident) -> Tokens {
    let mut replaced = Tokens::new();
    for token in tokens {
        replaced.push(match token {
            TokenTree::Ident(name) if name == "self" => {
                Ident::new(&word.to_string(), word.span().located_at(name.span())).into()
            }
            TokenTree::Group(group) => {
                replace_self(&row_of(group.stream()), word).grouped(group.delimiter(), group.span())
            }
            other => other.clone(),
        });
    }
    replaced
}
