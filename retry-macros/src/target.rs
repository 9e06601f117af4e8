//! The function under the attribute: its signature read, its body left as it is.

mod frame;
mod moves;
mod returns;

pub(crate) use frame::Frame;

use crate::diag::{self, Mistake};
use crate::syntax::{
    Attribute, Binding, NoFunction, Parameter, Row, Signature, Type, row_of, visible_row_of,
};
use crate::tokens::Tokens;
use crate::words::Words;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A function with a body.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) signature: Signature,
    /// Braces and all between them, never parsed: a half-typed body passes through, and so does
    /// whatever the user's edition of the language makes of it.
    pub(crate) body: Group,
    /// The same in a row.
    pub(crate) words: Words,
    /// Where the body is the inside of a future that the function makes and returns.
    pub(crate) frame: Option<Frame>,
    /// The place of the braces of the whole function.
    pub(crate) braces: Span,
    /// What a call yields when it is awaited.
    pub(crate) output: Option<Type>,
    /// Whether it is not async and returns a future.
    pub(crate) makes_future: bool,
}

impl Function {
    pub(crate) fn parse(item: TokenStream) -> Result<Self, Mistake> {
        let mut tokens = visible_row_of(item);
        let body = match tokens.last() {
            Some(TokenTree::Group(_)) => tokens.pop(),
            _ => None,
        };
        let mut row = Row::of(&tokens);
        let mut attributes = Attribute::outer(&mut row);
        let start = tokens.len() - row.rest().len();
        let signature = Signature::of(tokens.split_off(start)).map_err(refused)?;
        let Some(braces) = body.and_then(braces) else {
            return Err(diag::BODY_MISSING.at(&signature.name, &[]));
        };
        let (body, words) = opened(&braces, &mut attributes);
        let output = signature.returned.as_ref().map(|returned| returned.ty.clone());
        let mut function = Self {
            attributes,
            signature,
            body,
            words,
            frame: None,
            braces: braces.span(),
            output,
            makes_future: false,
        };
        if !function.signature.is_async {
            function.look_into_future();
        }
        Ok(function)
    }

    /// A function that is not async may make a future at its end, as `#[async_trait]` has it.
    fn look_into_future(&mut self) {
        let Some(output) = self.output.as_ref().and_then(returns::output_of) else { return };
        (self.output, self.makes_future) = (Some(output), true);
        if let Some((frame, body)) = Frame::find(&self.body) {
            self.words = Words::inside(body.stream());
            (self.frame, self.body) = (Some(frame), body);
        }
    }

    /// Whether it is async and visibly returns `Result<T, Error<E>>`, so that the body yields `E`.
    pub(crate) fn wraps_error(&self) -> bool {
        self.signature.is_async && self.output.as_ref().is_some_and(returns::wraps_error)
    }

    /// Where the body seems to use up a parameter that is not among these names; else, its braces.
    pub(crate) fn place_of_moves(&self, cloned: &[Ident]) -> Span {
        let mut owned = Vec::new();
        for parameter in &self.signature.parameters {
            if !is_owned(parameter) {
                continue;
            }
            if parameter.receiver.is_some() {
                owned.push("self".to_owned());
            }
            for Binding { name, .. } in &parameter.pattern.bindings {
                if !cloned.contains(name) {
                    owned.push(name.to_string());
                }
            }
        }
        moves::find(&self.words, &owned).unwrap_or(self.body.span_open())
    }

    /// Whether a parameter has this name, as the body knows it.
    pub(crate) fn has_parameter(&self, name: &Ident) -> bool {
        let knows = |bindings: &[Binding]| bindings.iter().any(|binding| binding.name == *name);
        let in_frame = self.frame.as_ref().is_some_and(|frame| knows(frame.bindings()));
        in_frame || self.signature.parameters.iter().any(|p| knows(&p.pattern.bindings))
    }
}

fn is_owned(parameter: &Parameter) -> bool {
    let is_borrowed = parameter.receiver.as_ref().is_some_and(|receiver| receiver.is_borrowed);
    !is_borrowed && !parameter.ty.as_ref().is_some_and(Type::is_reference)
}

fn refused(what: NoFunction) -> Mistake {
    match what {
        NoFunction::Impl(place) => diag::IMPL_BLOCK.at_span(place, &[]),
        NoFunction::Trait(place) => diag::TRAIT_BLOCK.at_span(place, &[]),
        NoFunction::Other(place) => diag::NOT_A_FUNCTION.at_span(place, &[]),
    }
}

/// The body, be it one that `macro_rules!` handed over as a block.
fn braces(last: TokenTree) -> Option<Group> {
    match last {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            row_of(group.stream()).pop().and_then(braces)
        }
        _ => None,
    }
}

/// The body in one piece and in a row. Attributes `#![...]` at its start are about the function, and
/// say so from outside.
fn opened(braces: &Group, attributes: &mut Vec<Attribute>) -> (Group, Words) {
    let mut inside = braces.stream();
    let mut words = Words::inside(inside.clone());
    if words.start_with_attribute() {
        let tokens = row_of(inside);
        let mut row = Row::of(&tokens);
        attributes.append(&mut Attribute::inner(&mut row));
        inside = Tokens::from(row.rest().to_vec()).into();
        words = Words::inside(inside.clone());
    }
    let mut body = Group::new(Delimiter::Brace, inside);
    body.set_span(braces.span());
    (body, words)
}
