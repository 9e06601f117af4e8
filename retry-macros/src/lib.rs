//! The attribute `#[retry]` and the derive `Classify`, for use through `retry-runtime`.
//!
//! The attribute runs in five steps, one file each: `parse` reads its arguments, `target` reads
//! the function, `check` refuses what is unsafe, `plan` settles what the loop needs, `expand`
//! writes it. Every sentence that a user can see is in `diag`.
//!
//! `syntax` is what both read of Rust, in place of a parser of all of it, which a first build would
//! have to compile. In the builds people make every day the macro itself is not optimized: `words`
//! opens a body and `tokens` writes so that little is asked of the compiler.

#![forbid(unsafe_code)]

mod check;
mod classify;
mod diag;
mod expand;
mod krate;
mod parse;
mod place;
mod plan;
mod retry;
mod syntax;
mod target;
mod tokens;
mod words;

#[cfg(test)]
mod tests;

use krate::Runtime;
use proc_macro::TokenStream;

/// Turns an async function into a retry loop; see `retry_runtime::retry`.
#[proc_macro_attribute]
pub fn retry(arguments: TokenStream, item: TokenStream) -> TokenStream {
    retry::entry(arguments.into(), item.into(), Runtime::of_this_crate()).into()
}

/// Implements `Classify`; see `retry_runtime::Classify`.
#[proc_macro_derive(Classify, attributes(classify))]
pub fn classify(item: TokenStream) -> TokenStream {
    classify::entry(item.into()).into()
}
