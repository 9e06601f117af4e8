//! What `macro_rules!` hands over stands in groups that cannot be seen.

use crate::classify;
use crate::tests::entry;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The tokens, where `«...»` is a fragment.
fn tokens(text: &str) -> TokenStream {
    fragments(text.replace('«', "fragment![").replace('»', "]").parse().unwrap())
}

fn fragments(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut written = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "fragment" => {
                let Some(TokenTree::Group(group)) = tokens.nth(1) else { panic!("{tokens:?}") };
                let inside = fragments(group.stream());
                written.extend([TokenTree::from(Group::new(Delimiter::None, inside))]);
            }
            TokenTree::Group(group) => {
                let inside = fragments(group.stream());
                written.extend([TokenTree::from(Group::new(group.delimiter(), inside))]);
            }
            other => written.extend([other]),
        }
    }
    written
}

/// The tokens with the fragments opened.
fn opened(tokens: TokenStream) -> TokenStream {
    let open = |token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => opened(group.stream()),
        TokenTree::Group(group) => {
            TokenTree::from(Group::new(group.delimiter(), opened(group.stream()))).into()
        }
        other => TokenStream::from(other),
    };
    tokens.into_iter().flat_map(open).collect()
}

const ARGUMENTS: &str = "policy = «P», idempotency_key = «a.b»::<c>(), deadline = «d», \
                         allow(key_unused = «\"why\"»), crate = «a::b»";

#[test]
fn a_function_born_from_fragments_is_expanded_like_one_that_is_written() {
    for item in [
        "#[«doc = \"x\"»] «pub» async fn f(«(mut a, b)»: «(u8, u8)», c: &mut «u8») -> «Result<u8, E>» «{ g(a).await }»",
        "#[«expect(x)»] «» async unsafe extern «\"C\"» fn f(#[«expect(y)»] mut a: «A») -> Result<«impl B», E> { a.b() }",
        "«pub(crate) async fn f(&self, a: «&A») -> Result<«A», «Error<E>»> { spawn(a) }»",
        "fn f(a: «A») -> «Pin<Box<dyn Future<Output = Result<A, E>>>>» { Box::pin(async move { a }) }",
        "async fn f() -> «Result<A, E>» where «A»: B { #![«allow(x)»] a }",
    ] {
        let (arguments, function) = (tokens(ARGUMENTS), tokens(item));
        let written = entry(opened(arguments.clone()), opened(function.clone()));
        let born = entry(arguments, function);
        assert_eq!(opened(born).to_string(), written.to_string(), "{item}");
    }
}

#[test]
fn a_type_born_from_fragments_is_expanded_like_one_that_is_written() {
    for item in [
        "#[«classify(transient)»] «pub» struct S<T: «A»>(«» «(A, B)», «pub» «B») where T: «B»;",
        "«pub(crate)» enum S { #[classify(permanent, when = «_0» > 3)] A(«u8»), #[classify(throttled, retry_after = wait)] \
         B { «pub» wait: «A» }, #[«classify(stopped)»] C(«Stopped») }",
    ] {
        let item = tokens(item);
        let written = classify::entry(opened(item.clone()));
        assert_eq!(opened(classify::entry(item)).to_string(), written.to_string());
    }
}
