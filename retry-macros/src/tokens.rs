//! Generated code, written from front to back.
//!
//! [`tokens!`] is read like `quote!` and writes the same tokens. But `quote!` makes a stream of every
//! piece, which the compiler holds, and copies it into the next; here a piece is a row in memory until
//! its braces close. The macro runs unoptimized in the builds people make every day, and there the
//! copying is most of the work.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Tokens in a row.
#[derive(Clone, Default)]
pub(crate) struct Tokens(Vec<TokenTree>);

/// What stands in a template.
#[derive(Clone, Copy)]
pub(crate) enum Piece {
    Word(&'static str),
    /// A generated name, which begins with two underscores: it is `mixed_site`, so that the user's
    /// names never meet it.
    Own(&'static str),
    Sign(char),
    /// The first of two characters that are one sign.
    Joint(char),
}

impl Piece {
    pub(crate) const fn of(token: &'static str) -> Self {
        match token.as_bytes() {
            [b'_', b'_', ..] => Self::Own(token),
            [b'_' | b'a'..=b'z' | b'A'..=b'Z', ..] => Self::Word(token),
            [sign] => Self::Sign(*sign as char),
            // This is asked while compiling.
            _ => panic!("`tokens!` has no rule for such a token"),
        }
    }
}

/// What `#NAME` in a template can stand for.
pub(crate) trait Part {
    fn add_to(self, tokens: &mut Tokens);
}

/// The tokens between the braces. `#NAME` is what the variable holds, and takes it.
///
/// Lines that begin with `@` go through a template: `@ OUT [PIECES] REST` has not written the pieces yet.
macro_rules! tokens {
    () => { $crate::tokens::Tokens::default() };
    (@write $out:ident []) => {};
    (@write $out:ident [$($piece:expr,)+]) => { $out.write(const { &[$($piece),+] }); };

    (@ $out:ident $pieces:tt) => { tokens!(@write $out $pieces); };
    (@ $out:ident $pieces:tt # $part:ident $($rest:tt)*) => {
        tokens!(@write $out $pieces);
        $crate::tokens::Part::add_to($part, &mut $out);
        tokens!(@ $out [] $($rest)*);
    };
    (@ $out:ident $pieces:tt ( $($inside:tt)* ) $($rest:tt)*) => {
        tokens!(@write $out $pieces);
        $out.group(proc_macro2::Delimiter::Parenthesis, tokens!($($inside)*));
        tokens!(@ $out [] $($rest)*);
    };
    (@ $out:ident $pieces:tt [ $($inside:tt)* ] $($rest:tt)*) => {
        tokens!(@write $out $pieces);
        $out.group(proc_macro2::Delimiter::Bracket, tokens!($($inside)*));
        tokens!(@ $out [] $($rest)*);
    };
    (@ $out:ident $pieces:tt { $($inside:tt)* } $($rest:tt)*) => {
        tokens!(@write $out $pieces);
        $out.group(proc_macro2::Delimiter::Brace, tokens!($($inside)*));
        tokens!(@ $out [] $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] :: $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Joint(':'),] : $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] => $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Joint('='),] > $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] -> $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Joint('-'),] > $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] .. $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::Joint('.'),] . $($rest)*);
    };
    (@ $out:ident [$($piece:expr,)*] $next:tt $($rest:tt)*) => {
        tokens!(@ $out [$($piece,)* $crate::tokens::Piece::of(stringify!($next)),] $($rest)*);
    };

    ($($template:tt)+) => {{
        let mut out = $crate::tokens::Tokens::new();
        tokens!(@ out [] $($template)+);
        out
    }};
}

pub(crate) use tokens;

impl Tokens {
    /// Room for the usual template, which then need not grow.
    pub(crate) fn new() -> Self {
        Self(Vec::with_capacity(32))
    }

    pub(crate) fn of_each<'p, P>(all: &'p [P]) -> Self
    where
        &'p P: Part,
    {
        let mut tokens = Self::default();
        for one in all {
            one.add_to(&mut tokens);
        }
        tokens
    }

    /// A part of a template.
    pub(crate) fn write(&mut self, pieces: &[Piece]) {
        let (call_site, own) = (Span::call_site(), Span::mixed_site());
        for piece in pieces {
            match *piece {
                Piece::Word(word) => self.push(Ident::new(word, call_site)),
                Piece::Own(name) => self.push(Ident::new(name, own)),
                Piece::Sign(sign) => self.push(Punct::new(sign, Spacing::Alone)),
                Piece::Joint(sign) => self.push(Punct::new(sign, Spacing::Joint)),
            }
        }
    }

    pub(crate) fn group(&mut self, delimiter: Delimiter, inside: Self) {
        self.push(Group::new(delimiter, inside.into()));
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
        self.0.push(token.into());
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
        for token in &mut self.0 {
            token.set_span(place);
        }
        self
    }

    /// As the compiler would print them.
    pub(crate) fn text(self) -> String {
        TokenStream::from(self).to_string()
    }

    pub(crate) fn as_slice(&self) -> &[TokenTree] {
        &self.0
    }
}

impl From<Tokens> for TokenStream {
    fn from(tokens: Tokens) -> Self {
        tokens.0.into_iter().collect()
    }
}

impl From<Vec<TokenTree>> for Tokens {
    fn from(row: Vec<TokenTree>) -> Self {
        Self(row)
    }
}

impl From<TokenTree> for Tokens {
    fn from(token: TokenTree) -> Self {
        vec![token].into()
    }
}

impl Part for Tokens {
    fn add_to(mut self, tokens: &mut Tokens) {
        tokens.0.append(&mut self.0);
    }
}

impl Part for &Tokens {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.0.extend_from_slice(&self.0);
    }
}

impl Part for &[TokenTree] {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.0.extend_from_slice(self);
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
        tokens.0.push(self);
    }
}

impl Part for Ident {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.push(self);
    }
}

impl Part for &Ident {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.push(self.clone());
    }
}

impl Part for Literal {
    fn add_to(self, tokens: &mut Tokens) {
        tokens.push(self);
    }
}
