//! Arbitrary tokens: the macros never panic, and what they give back can stand in a file.
//!
//! Few inputs in every test run; `RETRY_FUZZ=1000000 cargo test -p retry-macros --release fuzz` for
//! many. The tokens are drawn from the words of the attribute and of Rust, and valid inputs are
//! mutated, so that most of the code is reached.

use super::entry;
use crate::classify;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Signature, Token, Visibility};

const WORDS: &[&str] = &[
    "policy",
    "idempotent",
    "idempotency_key",
    "once",
    "downstream",
    "deadline",
    "classify",
    "clone",
    "allow",
    "crate",
    "no_jitter",
    "key_unused",
    "transient",
    "permanent",
    "stopped",
    "inherit",
    "retry_after",
    "when",
    "not_sent",
    "async",
    "fn",
    "const",
    "unsafe",
    "extern",
    "impl",
    "trait",
    "struct",
    "enum",
    "union",
    "pub",
    "self",
    "mut",
    "ref",
    "where",
    "for",
    "dyn",
    "return",
    "await",
    "a",
    "order",
    "Result",
    "u32",
    "E",
    "_",
    "r#match",
    "'a",
    "\"text\"",
    "\"\"",
    "1",
    "1.5",
    "'c'",
    "b\"x\"",
    "=",
    ",",
    ";",
    ":",
    "::",
    ".",
    "->",
    "=>",
    "&",
    "<",
    ">",
    "?",
    "!",
    "#",
    "+",
    "..",
    "@",
    "|",
    "*",
    "tokio",
    "spawn",
    "post",
    "\"INSERT INTO t\"",
    "Method",
    "POST",
    "Self",
    "super",
    "if",
    "retry",
    "cfg",
];

const ARGUMENTS: &[&str] = &[
    "policy = P, idempotent",
    "policy = P, idempotency_key = order.key, downstream = D, deadline = now + x, reconcile = |k| f(k)",
    "policy = P::new(1).a::<B, C>(), once, clone(a, b), crate = a::b",
    "policy = P, idempotent = \"why\", allow(no_jitter = \"x\", spawn_in_body = \"y\"), classify = |e| c(e)",
];

const ITEMS: &[&str] = &[
    "async fn f(a: A) -> Result<u32, E> { a.get().await }",
    "#[doc = \"x\"] pub(crate) async unsafe extern \"C\" fn g<'a, T: X, const N: usize>(&mut self, mut a: &'a T, (b, mut c): (B, C), [h, ..]: [u8; N]) -> Result<impl Y, E> where T: Z { Ok(tokio::spawn(a)) }",
    "fn h() {}",
    "async fn i(self: Arc<Self>, #[cfg(x)] P { x, .. }: P) -> Result<(), Box<dyn E>>;",
    "impl A { async fn f(&self) {} }",
    "#[derive(Debug)] struct S<T>(T) where T: X;",
    "enum E { #[classify(transient, when = *_0 >= 500)] #[classify(permanent)] A(u16), #[classify(throttled, retry_after = wait)] B { wait: D }, #[classify(stopped)] C(Stopped) }",
    "struct S { #[source] a: A, b: B }",
    "union U { a: A }",
];

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

fn arbitrary(random: &mut StdRng, depth: u32) -> TokenStream {
    let count = random.random_range(0..8);
    (0..count)
        .flat_map(|_| {
            if depth > 0 && random.random_ratio(1, 5) {
                group(random, depth).into()
            } else {
                tokens(WORDS.choose(random).unwrap())
            }
        })
        .collect()
}

fn group(random: &mut StdRng, depth: u32) -> TokenTree {
    let delimiters =
        [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
    let delimiter = *delimiters.choose(random).unwrap();
    Group::new(delimiter, arbitrary(random, depth - 1)).into()
}

/// The same tokens with some of them missing, doubled or replaced.
fn mutated(random: &mut StdRng, input: TokenStream) -> TokenStream {
    let mut output = TokenStream::new();
    for token in input {
        let token = match token {
            TokenTree::Group(inner) if random.random_ratio(2, 3) => {
                Group::new(inner.delimiter(), mutated(random, inner.stream())).into()
            }
            other => other,
        };
        match random.random_range(0..60) {
            0 => {}
            1 => output.extend([token.clone(), token]),
            2 => output.extend(tokens(WORDS.choose(random).unwrap())),
            3 => output.extend([token, group(random, 2)]),
            _ => output.extend([token]),
        }
    }
    output
}

fn input(random: &mut StdRng, valid: &[&str]) -> TokenStream {
    let seed = tokens(valid.choose(random).unwrap());
    match random.random_range(0..4) {
        0 => arbitrary(random, 3),
        1 => seed,
        _ => mutated(random, seed),
    }
}

/// Items, where the body of a function may be anything between its braces.
fn parses(output: &TokenStream) -> bool {
    let items = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if function(&input.fork()).is_ok() {
                function(input)?;
            } else if input.fork().parse::<syn::Item>().is_ok_and(|item| !is_verbatim(&item)) {
                input.parse::<syn::Item>()?;
            } else {
                input.parse::<syn::TraitItem>()?;
            }
        }
        Ok(())
    };
    items.parse2(without_nothing(output.clone())).is_ok()
}

/// Without empty invisible groups, such as an empty `$vis` leaves: they are nothing to rustc, and
/// something to a parser that asks whether it is at the end.
fn without_nothing(tokens: TokenStream) -> TokenStream {
    let is_nothing = |token: &TokenTree| match token {
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::None && without_nothing(group.stream()).is_empty()
        }
        _ => false,
    };
    tokens.into_iter().filter(|token| !is_nothing(token)).collect()
}

/// Whether it is a type as the compiler gives them to a derive.
fn is_valid_type(item: &TokenStream) -> bool {
    let Ok(input) = syn::parse2::<syn::DeriveInput>(item.clone()) else { return false };
    // syn takes `struct S<_>` for a type.
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    let header = quote::quote!(impl #generics S #arguments #conditions {});
    syn::parse2::<syn::ItemImpl>(header).is_ok()
}

/// The impls, without what stands in their functions: a condition may be anything.
fn without_bodies(tokens: TokenStream) -> TokenStream {
    let without = |tokens: TokenStream, change: &dyn Fn(TokenStream) -> TokenStream| {
        let changed = |token: TokenTree| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                Group::new(Delimiter::Brace, change(group.stream())).into()
            }
            other => other,
        };
        tokens.into_iter().map(changed).collect::<TokenStream>()
    };
    // A mistake has its sentence in braces.
    let is_mistake = |tokens: &TokenStream| {
        let mut tokens = tokens.clone().into_iter();
        matches!(tokens.next(), Some(TokenTree::Literal(_)))
    };
    without(tokens, &|inside| {
        if is_mistake(&inside) { inside } else { without(inside, &|_| TokenStream::new()) }
    })
}

fn is_verbatim(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Verbatim(_))
}

fn function(input: ParseStream<'_>) -> syn::Result<()> {
    Attribute::parse_outer(input)?;
    input.parse::<Visibility>()?;
    input.parse::<Signature>()?;
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        return Ok(());
    }
    let content;
    syn::braced!(content in input);
    content.parse::<TokenStream>().map(drop)
}

#[test]
fn fuzz_arbitrary_tokens_neither_panic_nor_give_back_what_is_no_item() {
    let inputs = std::env::var("RETRY_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut random = StdRng::seed_from_u64(1);
    let mut expanded = 0;
    for _ in 0..inputs {
        let (arguments, item) = (input(&mut random, ARGUMENTS), input(&mut random, ITEMS));
        let output = entry(arguments.clone(), item.clone());
        // What is no item comes from no compiler.
        let valid = parses(&output) || !parses(&item);
        assert!(valid, "#[retry({arguments})] {item}\ngives\n{output}");
        expanded += u32::from(!output.to_string().contains("compile_error"));
        let derived = classify::entry(item.clone());
        let valid = parses(&without_bodies(derived.clone())) || !is_valid_type(&item);
        assert!(valid, "#[derive(Classify)] {item}\ngives\n{derived}");
    }
    assert!(expanded * 200 > inputs, "{expanded} of {inputs} were expanded");
}
