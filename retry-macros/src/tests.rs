//! The macro called in-process.

mod documented;
mod editor;
mod fuzz;
mod golden;
mod growth;
mod syntax;

use crate::krate::Runtime;
use proc_macro2::TokenStream;

/// The attribute in a crate that knows the runtime by its own name.
fn entry(arguments: TokenStream, item: TokenStream) -> TokenStream {
    crate::retry::entry(arguments, item, Runtime::Reachable)
}
