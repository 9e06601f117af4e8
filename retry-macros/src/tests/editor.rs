//! What an editor sees while somebody types (case O-A10).

use super::entry;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

/// The names, signs and literals with their places, groups opened.
fn flat(tokens: TokenStream) -> Vec<(String, (usize, usize))> {
    let place = |span: Span| (span.start().line, span.start().column);
    let mut words = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => words.extend(flat(group.stream())),
            other => words.push((other.to_string(), place(other.span()))),
        }
    }
    words
}

const HALF_TYPED: &str = "async fn f(a: Conn) -> Result<u32, E> { let x = a; x. }";

#[test]
fn o_a10_a_half_typed_body_passes_through_with_its_places() {
    let item = tokens(HALF_TYPED);
    let mut body = flat(item.clone());
    body.drain(..body.iter().position(|(word, _)| word == "let").unwrap());
    let output = entry(tokens("policy = P, idempotent"), item);
    let signature = output.to_string();
    assert!(signature.starts_with("async fn f (a : Conn) -> Result < u32 , E >"), "{signature}");
    assert!(!signature.contains("compile_error"));
    let output = flat(output);
    assert!(output.windows(body.len()).any(|window| window == body), "in order, and where it was");
}

#[test]
fn o_a10_half_typed_arguments_are_one_error_and_the_untouched_item() {
    let item = tokens(HALF_TYPED);
    let output = entry(tokens("policy = "), item.clone()).to_string();
    assert!(output.ends_with(&item.to_string()), "{output}");
    // The effect is missing too; what was begun is reported once.
    assert_eq!(output.matches("compile_error").count(), 2, "{output}");
    let output = entry(tokens("policy = , idempotent"), item.clone()).to_string();
    assert_eq!(output.matches("compile_error").count(), 1, "{output}");
}

#[test]
fn a_body_that_a_macro_hands_over_is_looked_into() {
    let mut item: Vec<TokenTree> =
        tokens("async fn f(a: A) -> R { c.post(a) }").into_iter().collect();
    let body = item.pop().unwrap();
    item.push(Group::new(Delimiter::None, body.into()).into());
    let output = entry(tokens("policy = P, idempotent"), item.into_iter().collect());
    assert!(output.to_string().contains(".post("), "the doubt: {output}");
}

#[test]
fn every_stage_of_typing_keeps_the_item() {
    let arguments = "policy = CHECKOUT, idempotency_key = order.key, allow(no_jitter = \"x\")";
    let item = tokens("async fn f(order: Order) -> Result<u32, E> { send(order).await }");
    for end in 0..=arguments.len() {
        let Ok(typed) = arguments[..end].parse::<TokenStream>() else { continue };
        let output = entry(typed, item.clone()).to_string();
        assert!(output.contains("async fn f (order : Order) -> Result < u32 , E >"), "{output}");
    }
}
