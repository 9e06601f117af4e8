//! A future made at the end of a function that is not async, and what stands around its body.
//!
//! Wrapping the making of the future would retry nothing, silently: the loop belongs inside.
//!
//! ```text
//! HEAD                                  let url = self.url.clone();
//! PATH(async move { BODY })             Box::pin(async move { fetch(&url).await })
//!
//! // and as #[async_trait] writes it, which runs before attributes on the method do:
//! Box::pin(async move {
//!     PRELUDE                           let __self = self; let mut n = n;
//!     let __ret: Result<T, E> = BODY;   let __ret: Result<T, E> = { ... };
//!     __ret
//! })
//! ```

use crate::syntax::{Binding, Prelude, row_of};
use crate::tokens::Tokens;
use proc_macro2::{Delimiter, Group, Ident, TokenTree};

pub(crate) struct Frame {
    /// What stands before the future, and runs once, when it is made.
    head: Vec<TokenTree>,
    /// `Box::pin` and its parentheses, if the future is boxed.
    call: Option<(Vec<TokenTree>, Group)>,
    /// `async` or `async move`, and its braces.
    block: (Vec<TokenTree>, Group),
    /// What `#[async_trait]` does with the parameters first.
    prelude: Tokens,
    /// The names that the body knows from there. Every attempt gets the `mut` ones anew.
    bindings: Vec<Binding>,
}

impl Frame {
    /// The frame in a function's body, and the body of the future.
    pub(crate) fn find(body: &Group) -> Option<(Self, Group)> {
        let mut tokens = row_of(body.stream());
        let call = take_call(&mut tokens);
        let mut inside = match &call {
            Some((_, parentheses)) => row_of(parentheses.stream()),
            None => std::mem::take(&mut tokens),
        };
        let (words, braces) = take_async_block(&mut inside)?;
        let head = if call.is_some() {
            if !inside.is_empty() {
                return None;
            }
            tokens
        } else {
            inside
        };
        let mut frame = Self {
            head,
            call,
            block: (words, braces.clone()),
            prelude: Tokens::default(),
            bindings: Vec::new(),
        };
        let body = frame.look_into_async_trait(&braces).unwrap_or(braces);
        Some((frame, body))
    }

    /// Sets what `#[async_trait]` wrote before the user's body aside, and gives that body.
    fn look_into_async_trait(&mut self, braces: &Group) -> Option<Group> {
        let tokens = row_of(braces.stream());
        let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(i) if i == word);
        if !tokens.last().is_some_and(|last| is(last, "__ret")) {
            return None;
        }
        let start =
            tokens.windows(2).rposition(|pair| is(&pair[0], "let") && is(&pair[1], "__ret"))?;
        let (before, result) = tokens.split_at(start);
        let is_body = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        let Some(TokenTree::Group(body)) = result.get(result.iter().rposition(is_body)?) else {
            return None;
        };
        let prelude = Prelude::read(before);
        (self.prelude, self.bindings) = (prelude.tokens, prelude.bindings);
        Some(body.clone())
    }

    /// The names that the body knows from here.
    pub(crate) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Whether `#[async_trait]` wrote it.
    pub(crate) fn is_of_async_trait(&self) -> bool {
        !self.prelude.as_slice().is_empty()
    }

    /// Whether the signature's own parameters reach the body unchanged.
    pub(crate) fn keeps_parameters(&self) -> bool {
        self.prelude.as_slice().is_empty() && self.head.is_empty()
    }

    /// The word for `self` in the body.
    pub(crate) fn word_for_self(&self) -> Option<Ident> {
        let of_self = self.bindings.iter().find(|binding| binding.name == "__self")?;
        Some(of_self.name.clone())
    }

    /// The body of the function, around what is now to be the inside of the future.
    pub(crate) fn around(&self, constants: Tokens, inside: Tokens) -> Tokens {
        let (words, braces) = &self.block;
        let block = self.prelude.clone().and(inside).grouped(Delimiter::Brace, braces.span());
        let future = Tokens::from(words.clone()).and(block);
        let future = match &self.call {
            Some((path, parentheses)) => {
                let arguments = future.grouped(Delimiter::Parenthesis, parentheses.span());
                Tokens::from(path.clone()).and(arguments)
            }
            None => future,
        };
        constants.and(Tokens::from(self.head.clone())).and(future)
    }
}

/// `PATH::pin(...)` at the end.
fn take_call(tokens: &mut Vec<TokenTree>) -> Option<(Vec<TokenTree>, Group)> {
    let parentheses = match tokens.as_slice() {
        [.., TokenTree::Ident(pin), TokenTree::Group(group)]
            if pin == "pin" && group.delimiter() == Delimiter::Parenthesis =>
        {
            group.clone()
        }
        _ => return None,
    };
    tokens.pop();
    let is_path = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word != "return",
        TokenTree::Punct(sign) => sign.as_char() == ':',
        _ => false,
    };
    let start = tokens.iter().rposition(|token| !is_path(token)).map_or(0, |before| before + 1);
    Some((tokens.split_off(start), parentheses))
}

/// `async { ... }` or `async move { ... }` at the end.
fn take_async_block(tokens: &mut Vec<TokenTree>) -> Option<(Vec<TokenTree>, Group)> {
    let braces = match tokens.last() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group.clone(),
        _ => return None,
    };
    let is =
        |at: Option<&TokenTree>, word: &str| matches!(at, Some(TokenTree::Ident(i)) if i == word);
    let count = tokens.len();
    let words = if is(tokens.get(count.wrapping_sub(2)), "async") {
        1
    } else if is(tokens.get(count.wrapping_sub(2)), "move")
        && is(tokens.get(count.wrapping_sub(3)), "async")
    {
        2
    } else {
        return None;
    };
    tokens.pop();
    Some((tokens.split_off(count - 1 - words), braces))
}
