//! The function under the attribute: its signature parsed, its body left as it is.

mod binding;
mod frame;
mod moves;
mod returns;

pub(crate) use binding::{Binding, bindings, without_mut};
pub(crate) use frame::Frame;

use crate::diag::{self, Mistakes};
use crate::list::items;
use crate::plain;
use crate::tokens::Tokens;
use crate::words::Words;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{
    Attribute, FnArg, Ident, Receiver, ReceiverKind, ReturnType, Signature, Token, Type,
    Visibility, braced,
};

/// A function with a body.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    /// Where that is known to be the same as what was parsed.
    pub(crate) written: Option<Written>,
    pub(crate) visibility: Visibility,
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
}

/// The tokens of a signature as they stand there, so that nothing has to be printed again.
pub(crate) struct Written {
    /// Visibility and signature.
    pub(crate) head: Tokens,
    /// The type behind the arrow.
    pub(crate) output: Tokens,
}

impl Function {
    pub(crate) fn parse(item: TokenStream, mistakes: &mut Mistakes) -> Option<Self> {
        match Self::of(item) {
            Ok(function) => Some(function),
            Err(error) => {
                mistakes.push(error);
                None
            }
        }
    }

    /// The body is taken out before anything is parsed, so that its tokens are not copied.
    fn of(item: TokenStream) -> syn::Result<Self> {
        let mut tokens: Vec<TokenTree> = item.into_iter().collect();
        let inside = tokens.last_mut().and_then(take_inside);
        let mut function = match Self::plain(&tokens) {
            Some(function) => function,
            None => Self::read.parse2(tokens.into_iter().collect())?,
        };
        match inside {
            Some(inside) => function.fill(inside)?,
            // What `macro_rules!` handed over as a block.
            None => function.words = Words::inside(function.body.stream()),
        }
        if function.signature.asyncness.is_none() {
            function.look_into_future();
        }
        Ok(function)
    }

    /// A function with a plain signature, and without its body.
    fn plain(tokens: &[TokenTree]) -> Option<Self> {
        let [before @ .., TokenTree::Group(body)] = tokens else { return None };
        let count = before.chunks_exact(2).take_while(|pair| is_attribute(pair)).count();
        let (attributes, head) = before.split_at(2 * count);
        let (visibility, signature, output) = plain::signature(head)?;
        let attributes = match attributes {
            [] => Vec::new(),
            _ => Attribute::parse_outer.parse2(attributes.iter().cloned().collect()).ok()?,
        };
        (body.delimiter() == Delimiter::Brace).then(|| Self {
            attributes,
            written: Some(Written { head: head.to_vec().into(), output: output.to_vec().into() }),
            visibility,
            signature,
            body: body.clone(),
            words: Words::default(),
            frame: None,
            braces: body.span(),
        })
    }

    /// Puts the body back.
    fn fill(&mut self, mut inside: TokenStream) -> syn::Result<()> {
        // `#![...]` at the start of the body is about the function, and says so from outside.
        self.words = Words::inside(inside.clone());
        if self.words.start_with_attribute() {
            let attributes;
            (attributes, inside) = inner_attributes.parse2(inside)?;
            self.attributes.extend(attributes.into_iter().map(outer));
            self.words = Words::inside(inside.clone());
        }
        self.body = Group::new(Delimiter::Brace, inside);
        self.body.set_span(self.braces);
        Ok(())
    }

    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = Attribute::parse_outer(input)?;
        let visibility: Visibility = input.parse()?;
        refuse_other_items(input)?;
        let signature: Signature = input.parse()?;
        if input.peek(Token![;]) {
            return Err(diag::BODY_MISSING.at(&signature.ident, &[]));
        }
        let content;
        let braces = braced!(content in input);
        let braces = braces.span.join();
        let mut body = Group::new(Delimiter::Brace, content.parse()?);
        body.set_span(braces);
        Ok(Self {
            attributes,
            written: None,
            visibility,
            signature,
            body,
            words: Words::default(),
            frame: None,
            braces,
        })
    }

    /// A function that is not async may make a future at its end, as `#[async_trait]` has it.
    fn look_into_future(&mut self) {
        if self.returned().is_some_and(|ty| returns::output_of(ty).is_some()) {
            if let Some((frame, body)) = Frame::find(&self.body) {
                self.words = Words::inside(body.stream());
                (self.frame, self.body) = (Some(frame), body);
            }
        }
    }

    /// The type behind the arrow.
    fn returned(&self) -> Option<&Type> {
        match &self.signature.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(ty),
        }
    }

    /// What a call yields when it is awaited.
    pub(crate) fn output(&self) -> Option<&Type> {
        let returned = self.returned()?;
        match self.signature.asyncness {
            Some(_) => Some(returned),
            None => Some(returns::output_of(returned).unwrap_or(returned)),
        }
    }

    /// Whether it is async and visibly returns `Result<T, Error<E>>`, so that the body yields `E`.
    pub(crate) fn wraps_error(&self) -> bool {
        self.signature.asyncness.is_some() && self.output().is_some_and(returns::wraps_error)
    }

    /// Whether it returns a future.
    pub(crate) fn makes_future(&self) -> bool {
        self.returned().is_some_and(|ty| returns::output_of(ty).is_some())
    }

    /// Where the body seems to use up a parameter that is not among these names; else, its braces.
    pub(crate) fn place_of_moves(&self, cloned: &[Ident]) -> Span {
        let mut owned = Vec::new();
        for input in items(&self.signature.inputs) {
            match input {
                FnArg::Receiver(receiver) if is_owned(receiver) => owned.push("self".to_owned()),
                FnArg::Typed(parameter) if !matches!(*parameter.ty, Type::Reference(_)) => {
                    for Binding { name, .. } in bindings(&parameter.pat) {
                        if !cloned.contains(&name) {
                            owned.push(name.to_string());
                        }
                    }
                }
                _ => {}
            }
        }
        moves::find(&self.words, &owned).unwrap_or(self.body.span_open())
    }

    /// The names of its parameters, as the body knows them.
    pub(crate) fn parameters(&self) -> Vec<Binding> {
        let mut parameters = self.frame.as_ref().map(Frame::bindings).unwrap_or_default();
        for input in items(&self.signature.inputs) {
            if let FnArg::Typed(parameter) = input {
                parameters.append(&mut bindings(&parameter.pat));
            }
        }
        parameters
    }
}

fn is_owned(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Value => true,
        ReceiverKind::Typed(_, ty) => !matches!(**ty, Type::Reference(_)),
        _ => false,
    }
}

/// What stands between the last braces of an item, which are empty from here on.
fn take_inside(last: &mut TokenTree) -> Option<TokenStream> {
    match last {
        TokenTree::Group(braces) if braces.delimiter() == Delimiter::Brace => {
            let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
            empty.set_span(Group::span(braces));
            Some(std::mem::replace(braces, empty).stream())
        }
        _ => None,
    }
}

fn is_attribute(pair: &[TokenTree]) -> bool {
    matches!(pair, [TokenTree::Punct(sign), TokenTree::Group(group)]
        if sign.as_char() == '#' && group.delimiter() == Delimiter::Bracket)
}

/// The attributes `#![...]`, and what is behind them.
fn inner_attributes(input: ParseStream<'_>) -> syn::Result<(Vec<Attribute>, TokenStream)> {
    Ok((Attribute::parse_inner(input)?, input.parse()?))
}

fn outer(mut attribute: Attribute) -> Attribute {
    attribute.style = syn::AttrStyle::Outer;
    attribute
}

fn refuse_other_items(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(Token![impl]) || (input.peek(Token![unsafe]) && input.peek2(Token![impl])) {
        return Err(diag::IMPL_BLOCK.at_span(keyword(input), &[]));
    }
    if input.peek(Token![trait]) || (input.peek(Token![unsafe]) && input.peek2(Token![trait])) {
        return Err(diag::TRAIT_BLOCK.at_span(keyword(input), &[]));
    }
    let starts_function = input.peek(Token![fn])
        || input.peek(Token![async])
        || input.peek(Token![const]) && !input.peek2(Ident)
        || input.peek(Token![unsafe])
        || input.peek(Token![extern]);
    if starts_function { Ok(()) } else { Err(diag::NOT_A_FUNCTION.at_span(input.span(), &[])) }
}

/// The word `impl` or `trait`, be it behind `unsafe`.
fn keyword(input: ParseStream<'_>) -> Span {
    let behind = input.fork();
    let _unsafe: syn::Result<Option<Token![unsafe]>> = behind.parse();
    behind.span()
}

/// Whether the tokens are items, or a function whose body does not parse yet. What is neither
/// cannot stand in a file, and would only add errors to the one that is reported.
pub(crate) fn is_item(tokens: &TokenStream) -> bool {
    Function::of(tokens.clone()).is_ok()
        || syn::parse2::<syn::TraitItem>(tokens.clone()).is_ok()
        || syn::parse2::<syn::Item>(tokens.clone()).is_ok()
}
