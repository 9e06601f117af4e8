//! What is read without a parser is what the parser reads, and where it stands.
//!
//! `RETRY_FUZZ=1000000 cargo test -p retry-macros --release fuzz` for many inputs.

use crate::plain;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Signature, Visibility};

fn row(text: &str) -> Vec<TokenTree> {
    text.parse::<TokenStream>().unwrap().into_iter().collect()
}

/// Every token with its place, groups opened.
fn flat(tokens: impl ToTokens) -> Vec<String> {
    let mut words = Vec::new();
    for token in tokens.to_token_stream() {
        let start = token.span().start();
        match token {
            TokenTree::Group(group) => {
                words.push(format!("{:?} {start:?}", group.delimiter()));
                words.extend(flat(group.stream()));
            }
            other => words.push(format!("{other} {start:?}")),
        }
    }
    words
}

/// Whether these tokens are read as a signature; if they are, syn reads the same.
fn reads_signature(tokens: &[TokenTree]) -> bool {
    let Some((visibility, signature, output)) = plain::signature(tokens) else { return false };
    let read = |input: ParseStream<'_>| Ok((input.parse::<Visibility>()?, input.parse()?));
    let all: TokenStream = tokens.iter().cloned().collect();
    let parsed: syn::Result<(Visibility, Signature)> = read.parse2(all.clone());
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}: {all}"));
    assert_eq!((&visibility, &signature), (&parsed.0, &parsed.1), "{all}");
    let printed: TokenStream =
        [visibility.to_token_stream(), signature.to_token_stream()].into_iter().collect();
    assert_eq!(flat(printed), flat(&all), "{all}");
    let output: TokenStream = output.iter().cloned().collect();
    let returned = match signature.output {
        syn::ReturnType::Default => TokenStream::new(),
        syn::ReturnType::Type(_, ty) => ty.into_token_stream(),
    };
    assert_eq!(flat(output), flat(returned), "{all}");
    true
}

/// The same for an expression.
fn reads_expression(tokens: &[TokenTree]) -> bool {
    let Some(expression) = plain::expression(tokens) else { return false };
    let all: TokenStream = tokens.iter().cloned().collect();
    assert_eq!(expression, syn::parse2::<Expr>(all.clone()).unwrap(), "{all}");
    assert_eq!(flat(expression), flat(&all), "{all}");
    true
}

const PLAIN: &[&str] = &[
    "async fn f()",
    "async fn f(a: u32)",
    "pub async fn charge(order: &Order) -> Result<Receipt, Error<PayError>>",
    "pub(crate) async fn f(&self, a: &'static str,) -> Result<(), E>",
    "pub(super) async fn f(&mut self, r#type: &mut [u8]) -> std::io::Result<Vec<Vec<u8>>>",
    "async fn f(self, a: (u32, Self), b: (u8,)) -> Result<Cow<'_, str>, Self::Error>",
    "async fn f<>(&'a self)",
];

#[test]
fn the_usual_signatures_are_read() {
    let (last, usual) = PLAIN.split_last().unwrap();
    for signature in usual {
        assert!(reads_signature(&row(signature)), "{signature}");
    }
    assert!(!reads_signature(&row(last)), "{last}");
}

#[test]
fn the_usual_expressions_are_read() {
    for expression in ["P", "Self::POLICY", "config::client::P", "order.key", "a::B.c.d"] {
        assert!(reads_expression(&row(expression)), "{expression}");
    }
    for other in ["", "self.key", "a.0", "a.await", "f()", "a::<B>", "1", "if", "a b", "a..b"] {
        assert!(!reads_expression(&row(other)), "{other}");
    }
}

const WORDS: &[&str] = &[
    "a", "B", "Self", "self", "r#fn", "mut", "ref", "dyn", "impl", "_", "'a", "'_", "'static",
    "'fn", "pub", "async", "fn", "crate", "in", "const", "1", "\"t\"", ":", "::", ",", ".", "&",
    "&&", "<", ">", ">>", "->", "=", "!", "+", "*", "?", "#", "..", "(a: B)", "(A, B)", "(A)",
    "()", "[u8]", "[u8; 4]", "(crate)", "<A>", "{}",
];

/// With one token missing, doubled, replaced or added, at any depth.
fn mutated(random: &mut StdRng, mut tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let at = random.random_range(0..=tokens.len());
    if let Some(TokenTree::Group(group)) = tokens.get(at) {
        let inside = mutated(random, group.stream().into_iter().collect());
        let delimiter = match random.random_range(0..20) {
            0 => Delimiter::None,
            _ => group.delimiter(),
        };
        tokens[at] = proc_macro2::Group::new(delimiter, inside.into_iter().collect()).into();
        return tokens;
    }
    let removed = usize::from(random.random_bool(0.5) && at < tokens.len());
    let word = row(WORDS.choose(random).unwrap());
    let added = if random.random_bool(0.7) { word } else { Vec::new() };
    tokens.splice(at..at + removed, added);
    tokens
}

#[test]
fn fuzz_whatever_is_read_is_what_syn_reads() {
    let inputs = std::env::var("RETRY_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut random = StdRng::seed_from_u64(1);
    let mut read = 0;
    for _ in 0..inputs {
        let mut tokens = row(PLAIN.choose(&mut random).unwrap());
        let mut value = row(["a.b", "A::b", "P"].choose(&mut random).unwrap());
        for _ in 0..random.random_range(0..4) {
            tokens = mutated(&mut random, tokens);
            value = mutated(&mut random, value);
        }
        let (tokens, value) = (again(tokens), again(value));
        read += u32::from(reads_signature(&tokens)) + u32::from(reads_expression(&value));
    }
    assert!(read * 2 > inputs, "{read} of {inputs} were read");
}

/// The tokens by their text, so that each has a place of its own; or as they are where text cannot
/// tell them.
fn again(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let has_invisible = format!("{tokens:?}").contains("delimiter: None");
    let text = tokens.iter().cloned().collect::<TokenStream>().to_string();
    match text.parse::<TokenStream>() {
        Ok(parsed) if !has_invisible => parsed.into_iter().collect(),
        _ => tokens,
    }
}

#[test]
fn a_word_of_the_language_is_no_name() {
    for word in WORDS.iter().chain(plain::KEYWORDS).chain(&["union", "safe", "gen", "auto", "raw"])
    {
        let Ok([TokenTree::Ident(_)]) = <[TokenTree; 1]>::try_from(row(word)) else { continue };
        let is_name = syn::parse_str::<Ident>(word).is_ok() || *word == "Self";
        assert_eq!(reads_expression(&row(word)), is_name, "{word}");
    }
    assert!(plain::KEYWORDS.is_sorted());
}
