//! Tokens in a row, read from front to back.

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};

/// Tokens, of which those at the front have been read.
///
/// What `macro_rules!` hands over stands in an invisible group. One that can be such a fragment is
/// looked into where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t>(&'t [TokenTree]);

/// The tokens of a stream. What collects them would be compiled anew wherever it stands.
pub(crate) fn row_of(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

/// The same without an invisible group around all of them.
pub(crate) fn visible_row_of(stream: TokenStream) -> Vec<TokenTree> {
    let tokens = row_of(stream);
    match tokens.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            visible_row_of(group.stream())
        }
        _ => tokens,
    }
}

impl<'t> Row<'t> {
    pub(crate) fn of(tokens: &'t [TokenTree]) -> Self {
        Self(tokens)
    }

    /// What has not been read.
    pub(crate) fn rest(self) -> &'t [TokenTree] {
        self.0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// What was read since the row stood there.
    pub(crate) fn since(self, start: Self) -> &'t [TokenTree] {
        start.0.get(..start.0.len().saturating_sub(self.0.len())).unwrap_or_default()
    }

    /// Where the next token begins.
    pub(crate) fn span(self) -> Span {
        match self.0 {
            [TokenTree::Group(group), ..] => group.span_open(),
            [token, ..] => token.span(),
            [] => Span::call_site(),
        }
    }

    pub(crate) fn next(&mut self) -> Option<&'t TokenTree> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(crate) fn is_at(self, sign: char) -> bool {
        matches!(self.0, [TokenTree::Punct(first), ..] if first.as_char() == sign)
    }

    pub(crate) fn sign(&mut self, sign: char) -> Option<&'t TokenTree> {
        if self.is_at(sign) { self.next() } else { None }
    }

    pub(crate) fn is_at_both(self, signs: [char; 2]) -> bool {
        matches!(self.0, [TokenTree::Punct(first), TokenTree::Punct(second), ..]
            if first.as_char() == signs[0]
                && second.as_char() == signs[1]
                && first.spacing() == Spacing::Joint)
    }

    /// A sign of two characters.
    pub(crate) fn signs(&mut self, signs: [char; 2]) -> bool {
        let is_there = self.is_at_both(signs);
        if is_there {
            self.0 = self.0.get(2..).unwrap_or_default();
        }
        is_there
    }

    pub(crate) fn is_at_name(self) -> bool {
        matches!(self.0, [TokenTree::Ident(_), ..])
    }

    /// A name, or a word of the language.
    pub(crate) fn name(&mut self) -> Option<&'t Ident> {
        match self.0 {
            [TokenTree::Ident(name), rest @ ..] => {
                self.0 = rest;
                Some(name)
            }
            _ => None,
        }
    }

    pub(crate) fn is_at_word(self, word: &str) -> bool {
        matches!(self.0, [TokenTree::Ident(first), ..] if first == word)
    }

    pub(crate) fn word(&mut self, word: &str) -> Option<&'t Ident> {
        if self.is_at_word(word) { self.name() } else { None }
    }

    pub(crate) fn is_at_group(self, delimiter: Delimiter) -> bool {
        matches!(self.0, [TokenTree::Group(group), ..] if group.delimiter() == delimiter)
    }

    pub(crate) fn group(&mut self, delimiter: Delimiter) -> Option<&'t Group> {
        match self.0 {
            [TokenTree::Group(group), rest @ ..] if group.delimiter() == delimiter => {
                self.0 = rest;
                Some(group)
            }
            _ => None,
        }
    }

    pub(crate) fn literal(&mut self) -> Option<Literal> {
        let literal = match self.0.first()? {
            TokenTree::Literal(literal) => literal.clone(),
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                match visible_row_of(group.stream()).as_slice() {
                    [TokenTree::Literal(literal)] => literal.clone(),
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.next();
        Some(literal)
    }

    /// The name of a lifetime.
    pub(crate) fn lifetime(&mut self) -> Option<&'t Ident> {
        match self.0 {
            [TokenTree::Punct(sign), TokenTree::Ident(name), rest @ ..]
                if sign.as_char() == '\'' =>
            {
                self.0 = rest;
                Some(name)
            }
            _ => None,
        }
    }

    /// The inside of `<...>`.
    pub(crate) fn angles(&mut self) -> Option<Row<'t>> {
        let mut row = *self;
        row.sign('<')?;
        let inside = row.until(&['>']);
        row.sign('>')?;
        *self = row;
        Some(inside)
    }

    /// What stands before the first of these signs outside of any `<...>`, or all that is left.
    pub(crate) fn until(&mut self, signs: &[char]) -> Self {
        self.before(&|token| match token {
            TokenTree::Punct(sign) => signs.contains(&sign.as_char()),
            _ => false,
        })
    }

    /// What stands before the first such token outside of any `<...>`, or all that is left.
    pub(crate) fn before(&mut self, is_end: &dyn Fn(&TokenTree) -> bool) -> Self {
        let start = *self;
        let mut depth = 0_usize;
        while let Some(token) = self.0.first() {
            if self.signs(['-', '>']) || self.signs(['=', '>']) || self.signs([':', ':']) {
                continue;
            }
            if depth == 0 && is_end(token) {
                break;
            }
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
                TokenTree::Punct(sign) if sign.as_char() == '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.next();
        }
        Self(self.since(start))
    }

    /// Goes on to the next comma.
    pub(crate) fn skip_to_comma(&mut self) {
        while !self.is_empty() && !self.is_at(',') {
            self.next();
        }
    }

    /// What stands before the next such sign outside of any `<...>`; the sign is read too. None at
    /// the end.
    pub(crate) fn piece(&mut self, sign: char) -> Option<Self> {
        if self.is_empty() {
            return None;
        }
        let piece = self.until(&[sign]);
        self.sign(sign);
        Some(piece)
    }

    /// `pub` and where to, if they stand there.
    pub(crate) fn visibility(&mut self) {
        let mut behind = *self;
        if let Some(fragment) = behind.group(Delimiter::None) {
            let inside = visible_row_of(fragment.stream());
            if inside.is_empty() || Row(&inside).is_at_word("pub") {
                *self = behind;
            }
        } else if self.word("pub").is_some() {
            behind = *self;
            if behind.group(Delimiter::Parenthesis).is_some_and(is_restriction) {
                *self = behind;
            }
        }
    }
}

/// `(crate)`, `(in path)` and the like, which a field may also have for its type.
fn is_restriction(parentheses: &Group) -> bool {
    match row_of(parentheses.stream()).as_slice() {
        [TokenTree::Ident(word)] => {
            matches!(word.to_string().as_str(), "crate" | "self" | "super")
        }
        [TokenTree::Ident(word), ..] => word == "in",
        _ => false,
    }
}
