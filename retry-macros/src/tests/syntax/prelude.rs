//! Statements that bind names before a body.

use super::parts::{bindings, without_mut};
use super::{flat, row};
use crate::syntax::Prelude;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Block, Stmt};

/// The tokens, without their places: a block has a brace in front.
fn words(tokens: TokenStream) -> Vec<String> {
    let mut words = flat(tokens);
    for word in &mut words {
        word.truncate(word.find(" LineColumn").unwrap());
    }
    words
}

#[test]
fn what_async_trait_writes_before_a_body_is_read_as_syn_reads_it() {
    for text in [
        "let __self = self; let mut n = n; let (a, mut b) = __arg1; let _ = c;",
        "if let Some(__ret) = None::<Result<A, B>> { #[allow(unreachable_code)] return __ret; } \
         let __self = self; let mut x: Vec<(A, B)> = x;",
        "#[allow(unused)] let mut a = S { b: c }; f(); let S { d, e: (mut g, ..) } = __arg2;",
        "let mut __x = y; let z = a < b; let mut w = if let Some(v) = u { v } else { t };",
        "let ref mut a = b; let mut c @ D(mut e) = f; { let mut inside = 1; } let g = h;",
        "",
    ] {
        let tokens: TokenStream = text.parse().unwrap();
        let mut block: Block = syn::parse_str(&format!("{{{text}}}")).unwrap();
        let (ours, mut names) = (Prelude::read(&row(tokens)), Vec::new());
        for statement in &mut block.stmts {
            let Stmt::Local(local) = statement else { continue };
            let start = names.len();
            bindings(&local.pat, &mut names);
            if names[start..].iter().any(|(name, _)| name[0].starts_with("__")) {
                names[start..].iter_mut().for_each(|(_, mutability)| *mutability = None);
            } else {
                without_mut(&mut local.pat);
            }
        }
        let written: TokenStream = block.stmts.iter().map(ToTokens::to_token_stream).collect();
        assert_eq!(words(TokenStream::from(ours.tokens)), words(written), "{text}");
        assert_eq!(ours.bindings.len(), names.len(), "{text}");
        for (binding, (name, mutability)) in ours.bindings.iter().zip(&names) {
            assert!(name[0].starts_with(&format!("{} ", binding.name)), "{text}");
            assert_eq!(binding.mutability.is_some(), mutability.is_some(), "{text}");
        }
    }
}
