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
    let function = match Function::parse(item.clone()) {
        Ok(function) => function,
        Err(mistake) => {
            mistakes.push(mistake);
            return mistakes.beside(item);
        }
    };
    check::all(&arguments, &function, &mut mistakes);
    let wrapped = !mistakes.is_empty()
        && (runtime == Runtime::Reachable || arguments.krate.get().is_some())
        && function.wraps_error();
    match Plan::new(arguments, function) {
        Some(plan) if mistakes.is_empty() => expand::function(plan),
        // Its body yields another error than the function returns: as written it would not compile.
        Some(plan) if wrapped => mistakes.beside(expand::stand_in(plan)),
        _ => mistakes.beside(item),
    }
}
