//! How the work grows with the body, counted in tokens and in memory: the same in every run.

use super::entry;
use allocation_counter::measure;
use proc_macro2::{TokenStream, TokenTree};

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

/// A function with so many lines of calls, questions, groups and uses of its parameters.
fn function(lines: usize) -> TokenStream {
    let line =
        "if client.get(&order.key, [1, 2]).await? == order.id { log(format!(\"{total}\")); }";
    tokens(&format!(
        "async fn f(client: &Client, order: Order) -> Result<u32, E> {{ {} Ok(total) }}",
        line.repeat(lines)
    ))
}

fn expand(function: TokenStream) -> TokenStream {
    entry(tokens("policy = P, idempotency_key = order.key, downstream = D"), function)
}

/// The tokens, groups opened.
fn count(stream: TokenStream) -> usize {
    let inside = |token| match token {
        TokenTree::Group(group) => 1 + count(group.stream()),
        _ => 1,
    };
    stream.into_iter().map(inside).sum()
}

#[test]
fn an_expansion_adds_no_more_tokens_to_a_long_body_than_to_a_short_one() {
    let added = |lines| count(expand(function(lines))) - count(function(lines));
    assert_eq!(added(2_000), added(1));
    assert!(added(1) < 200, "{} tokens", added(1));
}

#[test]
fn a_body_eight_times_as_long_is_expanded_with_eight_times_the_memory() {
    let allocated = |lines| {
        let function = function(lines);
        let work = measure(|| drop(expand(function)));
        (work.count_total, work.bytes_total)
    };
    let (short, long) = (allocated(250), allocated(2_000));
    assert!(short.0 > 250, "{} allocations are counted", short.0);
    // A second loop over the body inside a first one would take it to sixty-four times.
    assert!(long.0 < 9 * short.0, "{} allocations, and {} for an eighth", long.0, short.0);
    assert!(long.1 < 9 * short.1, "{} bytes, and {} for an eighth", long.1, short.1);
}
