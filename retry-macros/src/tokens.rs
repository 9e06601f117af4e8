//! Generated code, written from front to back.
//!
//! [`tokens!`] is read like `quote!` and writes the same tokens. But `quote!` makes a stream of every
//! piece, which the compiler holds, and copies it into the next; here a piece is a row in memory until
//! its braces close. The macro runs unoptimized in the builds people make every day, and there the
//! copying is most of the work.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens in a row; those behind an opened delimiter become its group when it closes.
#[derive(Clone, Default)]
pub(crate) struct Tokens {
    row: Vec<TokenTree>,
    open: Vec<usize>,
}

/// What stands in a template.
#[derive(Clone, Copy)]
pub(crate) enum Piece {
    Word(&'static str),
    /// A generated name: `mixed_site`, so that the user's names never meet it.
    Own(&'static str),
    Sign(char),
    /// The first of two characters that are one sign.
    Joint(char),
    Open,
    Close(Delimiter),
}

impl Piece {
    /// Names of ours begin with two underscores.
    pub(crate) const fn word(word: &'static str) -> Self {
        match word.as_bytes() {
            [b'_', b'_', ..] => Self::Own(word),
            _ => Self::Word(word),
        }
    }

    /// A sign of one character; the compiler refuses another.
    pub(crate) const fn sign(sign: &'static str) -> Self {
        match sign.as_bytes() {
            [sign] => Self::Sign(*sign as char),
            _ => panic!("a sign of more than one character has a line of its own in `tokens!`"),
        }
    }
}

/// What `#NAME` in a template can stand for.
pub(crate) trait Part {
    fn add_to(self, tokens: &mut Tokens);
}

/// The tokens between the braces. `#NAME` is what the variable holds, and takes it.
macro_rules! tokens {
    (@ $out:ident [$($piece:expr,)*] # $part:ident $($rest:tt)*) => {
        $out.write(const { &[$($piece),*] });
        $crate::tokens::Part::add_to($part, &mut $out);
        tokens!(@ $out [] $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] ( $($inside:tt)* ) $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Open,] $($inside)* @close Parenthesis $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] [ $($inside:tt)* ] $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Open,] $($inside)* @close Bracket $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] { $($inside:tt)* } $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Open,] $($inside)* @close Brace $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] @close $delimiter:ident $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Close(proc_macro2::Delimiter::$delimiter),] $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] $word:ident $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::word(stringify!($word)),] $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] :: $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Joint(':'),] : $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] => $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Joint('='),] > $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] _ $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::word("_"),] $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] $sign:tt $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::sign(stringify!($sign)),] $($rest)*);
    };
    (@ $out:ident []) => {};
    (@ $out:ident [$($piece:expr,)*]) => { $out.write(const { &[$($piece),*] }); };
    ($($template:tt)*) => {{
        let mut out = $crate::tokens::Tokens::new();
        tokens!(@ out [] $($template)*);
        out
    }};
}

pub(crate) use tokens;

impl Tokens {
    /// Room for the usual template, which then need not grow.
    pub(crate) fn new() -> Self {
        Self { row: Vec::with_capacity(32), open: Vec::new() }
    }

    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        Self { row: tokens.to_token_stream().into_iter().collect(), open: Vec::new() }
    }

    pub(crate) fn of_each<T: ToTokens>(all: &[T]) -> Self {
        let mut tokens = TokenStream::new();
        for one in all {
            one.to_tokens(&mut tokens);
        }
        Self::of(&tokens)
    }

    /// The part of a template between two `#NAME`.
    pub(crate) fn write(&mut self, pieces: &[Piece]) {
        let (call_site, own) = (Span::call_site(), Span::mixed_site());
        for piece in pieces {
            match *piece {
                Piece::Word(word) => self.push(Ident::new(word, call_site)),
                Piece::Own(name) => self.push(Ident::new(name, own)),
                Piece::Sign(sign) => self.push(Punct::new(sign, Spacing::Alone)),
                Piece::Joint(sign) => self.push(Punct::new(sign, Spacing::Joint)),
                Piece::Open => self.open.push(self.row.len()),
                Piece::Close(delimiter) => {
                    let start = self.open.pop().unwrap_or_default();
                    let inside = self.row.split_off(start).into_iter().collect();
                    self.push(Group::new(delimiter, inside));
                }
            }
        }
    }

    pub(crate) fn sign(&mut self, sign: char, place: Span) {
        let mut sign = Punct::new(sign, Spacing::Alone);
        sign.set_span(place);
        self.push(sign);
    }

    pub(crate) fn colons(&mut self, place: Span) {
        let mut first = Punct::new(':', Spacing::Joint);
        first.set_span(place);
        self.push(first);
        self.sign(':', place);
    }

    pub(crate) fn push(&mut self, token: impl Into<TokenTree>) {
        self.row.push(token.into());
    }

    pub(crate) fn add(&mut self, part: impl Part) {
        part.add_to(self);
    }

    /// These and the other.
    pub(crate) fn and(mut self, part: impl Part) -> Self {
        part.add_to(&mut self);
        self
    }

    /// All of them in a group, at the place of the user's.
    pub(crate) fn grouped(self, delimiter: Delimiter, place: Span) -> TokenTree {
        let mut group = Group::new(delimiter, self.into());
        group.set_span(place);
        group.into()
    }

    /// The same, of which the outermost are at this place.
    pub(crate) fn at(mut self, place: Span) -> Self {
        self.row.iter_mut().for_each(|token| token.set_span(place));
        self
    }

    pub(crate) fn as_slice(&self) -> &[TokenTree] {
        &self.row
    }
}

impl From<Tokens> for TokenStream {
    fn from(tokens: Tokens) -> Self {
        tokens.row.into_iter().collect()
    }
}

impl From<Vec<TokenTree>> for Tokens {
    fn from(row: Vec<TokenTree>) -> Self {
        Self { row, open: Vec::new() }
    }
}

impl From<TokenTree> for Tokens {
    fn from(token: TokenTree) -> Self {
        vec![token].into()
    }
}

impl Part for Tokens {
    fn add_to(mut self, tokens: &mut Tokens) {
        tokens.row.append(&mut self.row);
    }
}

impl Part for &Tokens {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.row.extend_from_slice(&self.row);
    }
}

impl<P: Part> Part for Option<P> {
    fn add_to(self, tokens: &mut Tokens) {
        if let Some(part) = self {
            part.add_to(tokens);
        }
    }
}

impl Part for TokenTree {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.row.push(self);
    }
}

impl Part for Ident {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.push(self);
    }
}

impl Part for Literal {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.push(self);
    }
}
