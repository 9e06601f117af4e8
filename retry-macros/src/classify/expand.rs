//! The impls of `Classify` and, where a variant is marked `stopped`, of `FromStopped`.

use super::Shape;
use super::mark::{Mark, Mention, Verdict};
use crate::syntax::Input;
use crate::tokens::{Tokens, tokens};
use proc_macro2::{Delimiter, Ident, Span, TokenTree};

pub(super) fn impls(input: &Input, krate: &Tokens, shapes: &[Shape<'_>]) -> Tokens {
    let mut arms = Tokens::default();
    for shape in shapes {
        arms.add(arm(krate, shape));
    }
    // An enum without variants has nothing to match.
    let body = if shapes.is_empty() {
        tokens! { match *self {} }
    } else {
        tokens! { match self { #arms } }
    };
    let mut impls = classify(input, krate, &body);
    for shape in shapes {
        let Some(mark) = shape.stopped() else { continue };
        let (path, mut field) = (path(shape), Tokens::default());
        let value = of_field(shape, krate, "of", &word("__stopped"));
        if let Some(inner) = &mark.inner {
            let name = inner.field.clone();
            field = tokens! { #name: #value };
        }
        impls.add(from_stopped(input, krate, &tokens! { #path { #field } }));
    }
    impls
}

/// What stands in for the impls while there are mistakes; it never runs.
pub(super) fn stand_in(input: &Input, krate: &Tokens, shapes: &[Shape<'_>]) -> Tokens {
    let classify = classify(input, krate, &tokens! { #krate::Class::PERMANENT });
    let is_stopped = shapes.iter().any(|shape| shape.is_stopped);
    classify.and(is_stopped.then(|| from_stopped(input, krate, &tokens! { loop {} })))
}

fn classify(input: &Input, krate: &Tokens, body: &Tokens) -> Tokens {
    // `Classify` asks for `Debug`, and a derived one holds only where the type arguments have it.
    let shown = input.generics.have_types().then(|| tokens! { Self: ::core::fmt::Debug });
    let (head, conditions) = (head(input), input.generics.conditions(shown));
    let (generics, named) = head;
    tokens! {
        #[automatically_derived]
        impl #generics #krate::Classify for #named #conditions {
            fn classify(&self) -> #krate::Class {
                #body
            }
        }
    }
}

fn from_stopped(input: &Input, krate: &Tokens, value: &Tokens) -> Tokens {
    let (generics, named) = head(input);
    let conditions = input.generics.conditions(None);
    let stopped = word("__stopped");
    tokens! {
        #[automatically_derived]
        impl #generics #krate::FromStopped for #named #conditions {
            fn from_stopped(#stopped: #krate::Stopped) -> Self {
                #value
            }
        }
    }
}

/// What stands behind `impl`, and the type.
fn head(input: &Input) -> (Tokens, Tokens) {
    let (name, arguments) = (&input.name, input.generics.named());
    (input.generics.declared(), tokens! { #name #arguments })
}

/// A name as the user could write it.
fn word(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

fn path(shape: &Shape<'_>) -> Tokens {
    if let Some(variant) = shape.variant {
        tokens! { Self::#variant }
    } else {
        tokens! { Self }
    }
}

/// The marks in order; where none holds the failure is unclassified, and so permanent.
fn arm(krate: &Tokens, shape: &Shape<'_>) -> Tokens {
    let mut class = tokens! { #krate::Class::PERMANENT };
    let mut bound: Vec<Mention> = Vec::new();
    for mark in shape.marks.iter().rev() {
        let this = class_of(krate, shape, mark);
        class = match &mark.when {
            Some(condition) => {
                let condition = condition_of(condition);
                tokens! { if #condition { #this } else { #class } }
            }
            None => this,
        };
        for mention in mark.mentions(shape.fields) {
            if !bound.iter().any(|known| known.name == mention.name) {
                bound.push(mention);
            }
        }
    }
    let mut fields = Tokens::default();
    for Mention { field, name } in bound {
        let is_short = matches!(&field, TokenTree::Ident(field) if *field == name);
        fields.add(if is_short {
            tokens! { #name, }
        } else {
            tokens! { #field: #name, }
        });
    }
    let path = path(shape);
    tokens! { #path { #fields .. } => #class, }
}

/// A function of the only field's type. It is asked for in the same words by both impls, so that a
/// field of another type is reported once.
fn of_field(shape: &Shape<'_>, krate: &Tokens, function: &str, argument: &Ident) -> Tokens {
    let (private, function) = (&word("__private"), &word(function));
    let mut asked = Tokens::default();
    for field in shape.fields {
        let ty = &field.ty;
        asked.add(tokens! { <#ty as #krate::#private::StoppedField>::#function });
    }
    tokens! { #asked(#argument) }
}

/// A condition as it can stand behind `if`, where a struct literal would be read as a block.
fn condition_of(condition: &Tokens) -> Tokens {
    let has_braces = condition.as_slice().iter().any(
        |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
    );
    if has_braces {
        tokens! { (#condition) }
    } else {
        condition.clone()
    }
}

fn class_of(krate: &Tokens, shape: &Shape<'_>, mark: &Mark) -> Tokens {
    let class = match (mark.verdict, &mark.inner) {
        (Verdict::Transient, _) => "TRANSIENT",
        (Verdict::Throttled, _) => "THROTTLED",
        (Verdict::Stopped, Some(Mention { name, .. })) => {
            return of_field(shape, krate, "class", name);
        }
        (Verdict::Inherit, Some(Mention { name, .. })) => {
            let asked = tokens! { ::Classify::classify(#name) };
            return krate.clone().and(asked.at(mark.word.span()));
        }
        // Without a field the others are mistakes, and nothing of this is written.
        _ => "PERMANENT",
    };
    let class = word(class);
    let mut class = tokens! { #krate::Class::#class };
    if let Some(delivery) = &mark.delivery {
        class.add(tokens! { .#delivery() });
    }
    match &mark.retry_after {
        Some(Mention { name, .. }) => {
            let (private, place) = (word("__private"), name.span());
            let comma = tokens! { , }.at(place);
            let hinted = tokens! { ::#private::hinted(#class #comma #name) };
            krate.clone().and(hinted.at(place))
        }
        None => class,
    }
}
