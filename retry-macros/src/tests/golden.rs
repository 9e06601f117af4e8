//! Goldens: the output of the macro, pretty-printed.
//!
//! The inputs and the goldens are in the `tests` package, which also compiles and runs each golden.
//! `UPDATE_EXPECT=1 cargo test -p retry-macros` rewrites them.

use super::entry;
use expect_test::expect_file;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, File, ImplItem, Item, ItemFn, TraitItem};

const GOLDENS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden");

/// One annotated function: its name, what its body was, and what became of it.
struct Expansion {
    name: String,
    body: TokenStream,
    output: TokenStream,
}

fn expand(attributes: &mut Vec<Attribute>, item: impl FnOnce() -> ItemFn) -> Option<Expansion> {
    let at = attributes.iter().position(|attribute| attribute.path().is_ident("retry"))?;
    let arguments = attributes.remove(at).meta.require_list().unwrap().tokens.clone();
    let mut item = item();
    item.attrs.clone_from(attributes);
    let output = entry(arguments, item.to_token_stream());
    let body = item.block.stmts.iter().map(ToTokens::to_token_stream).collect();
    Some(Expansion { name: item.sig.ident.to_string(), body, output })
}

fn expand_file(file: &mut File) -> Vec<Expansion> {
    let mut found = Vec::new();
    for item in &mut file.items {
        match item {
            Item::Fn(function) => {
                let whole = function.clone();
                if let Some(expansion) = expand(&mut function.attrs, || whole) {
                    *item = syn::parse2(expansion.output.clone()).unwrap();
                    found.push(expansion);
                }
            }
            Item::Impl(block) => {
                for item in &mut block.items {
                    let ImplItem::Fn(method) = item else { continue };
                    let whole = syn::parse2(method.to_token_stream()).unwrap();
                    if let Some(expansion) = expand(&mut method.attrs, || whole) {
                        *item = syn::parse2(expansion.output.clone()).unwrap();
                        found.push(expansion);
                    }
                }
            }
            Item::Trait(block) => {
                for item in &mut block.items {
                    let TraitItem::Fn(method) = item else { continue };
                    let Ok(whole) = syn::parse2(method.to_token_stream()) else { continue };
                    if let Some(expansion) = expand(&mut method.attrs, || whole) {
                        *item = syn::parse2(expansion.output.clone()).unwrap();
                        found.push(expansion);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn check(name: &str) {
    let input = std::fs::read_to_string(format!("{GOLDENS}/input/{name}.rs")).unwrap();
    let mut file = syn::parse_file(&input).unwrap();
    let expansions = expand_file(&mut file);
    assert!(!expansions.is_empty(), "{name} has an annotated function");
    for expansion in expansions {
        let Expansion { name, body, output } = expansion;
        let lines = lines(&output);
        assert!(lines <= 40, "{name} expands to {lines} lines");
        assert!(
            output.to_string().contains(&body.to_string()),
            "the body of {name} stands in its expansion token for token"
        );
    }
    let header = "// What the attribute writes for the input of the same name. Kept by the tests of\n\
                  // retry-macros; compiled and run by the golden test of this package.\n\n";
    expect_file![format!("{GOLDENS}/{name}.rs")]
        .assert_eq(&format!("{header}{}", prettyplease::unparse(&file)));
}

fn lines(item: &TokenStream) -> usize {
    // A method has no place in a file of its own.
    let alone = syn::parse2(item.clone());
    let file = alone.unwrap_or_else(|_| syn::parse2(quote!(impl X { #item })).unwrap());
    prettyplease::unparse(&file).lines().count()
}

macro_rules! goldens {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*
    };
}

goldens!(readme reconcile read once methods patterns impl_trait classify options trait_method);
