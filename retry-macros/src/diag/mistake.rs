//! What is wrong with one input, and how the compiler is told.

use crate::tokens::{Part, Tokens};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream};

/// A sentence, and the tokens that it is about.
pub(crate) struct Mistake {
    pub(crate) sentence: String,
    /// The place of the first of them.
    pub(crate) first: Span,
    /// And of the last.
    pub(crate) last: Span,
}

/// The mistakes found so far; all of them are reported at once.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<Mistake>);

impl Mistakes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, mistake: Mistake) {
        self.0.push(mistake);
    }

    pub(crate) fn append(&mut self, mut mistakes: Vec<Mistake>) {
        self.0.append(&mut mistakes);
    }

    /// One compile error for each mistake, and these tokens.
    pub(crate) fn beside(&self, tokens: TokenStream) -> TokenStream {
        let mut output = TokenStream::from(Tokens::of_each(&self.0));
        output.extend(tokens);
        output
    }
}

/// `::core::compile_error! { "SENTENCE" }`, which the compiler underlines from its first token to its
/// last.
impl Part for &Mistake {
    fn add_to(self, tokens: &mut Tokens) {
        for name in ["core", "compile_error"] {
            tokens.colons(self.first);
            tokens.push(Ident::new(name, self.first));
        }
        tokens.sign('!', self.first);
        let mut sentence = Literal::string(&self.sentence);
        sentence.set_span(self.last);
        let mut inside = Tokens::new();
        inside.push(sentence);
        tokens.push(inside.grouped(Delimiter::Brace, self.last));
    }
}
