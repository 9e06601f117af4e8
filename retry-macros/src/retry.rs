//! The attribute from tokens to tokens.

use crate::diag::Mistakes;
use crate::krate::Runtime;
use crate::parse::Arguments;
use crate::plan::Plan;
use crate::target::Function;
use crate::{check, expand, krate};
use proc_macro2::TokenStream;

/// Gives the retry loop; or every mistake, and the item as it was written, so that its callers see
/// no second error.
pub(crate) fn entry(arguments: TokenStream, item: TokenStream, runtime: Runtime) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let arguments = Arguments::parse(arguments, &mut mistakes);
    krate::check(&arguments, runtime, &mut mistakes);
    let loop_of_function = Function::parse(item.clone(), &mut mistakes).and_then(|function| {
        check::all(&arguments, &function, &mut mistakes);
        Plan::new(arguments, function)
    });
    match loop_of_function {
        Some(plan) if mistakes.is_empty() => expand::function(&plan),
        _ => mistakes.beside(item),
    }
}
