//! What the macros read of Rust's syntax is what syn reads, and where it stands.
//!
//! Compared for all Rust files of the workspace, and for words put together at random:
//! `RETRY_FUZZ=1000000 cargo test -p retry-macros --release fuzz` for many.

mod fragments;
mod generated;
mod items;
mod parts;
mod prelude;
mod sources;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

fn row(tokens: impl ToTokens) -> Vec<TokenTree> {
    tokens.to_token_stream().into_iter().collect()
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

fn flat_row(tokens: &[TokenTree]) -> Vec<String> {
    flat(tokens.iter().cloned().collect::<TokenStream>())
}
