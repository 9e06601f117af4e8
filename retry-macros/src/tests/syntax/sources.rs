//! All Rust files of the workspace, or of the folder that `RETRY_SOURCES` names.

use super::items::{same_function, same_input};
use super::parts::Parts;
use quote::ToTokens;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Signature, Visibility};

/// Files that stand in the workspace, and not in what is built of it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[derive(Default)]
struct Items {
    functions: usize,
    types: usize,
}

impl Items {
    fn function(&mut self, attributes: &[Attribute], visibility: &Visibility, head: &Signature) {
        self.functions += 1;
        same_function(attributes, visibility, head);
    }

    fn input(&mut self, item: &impl ToTokens) {
        self.types += 1;
        same_input(&syn::parse2(item.to_token_stream()).unwrap());
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.vis, &item.sig);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.vis, &item.sig);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.attrs, &Visibility::Inherited, &item.sig);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.input(item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.input(item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.input(item);
    }
}

#[test]
fn all_of_this_workspace_is_read_as_syn_reads_it() {
    let mut found = Vec::new();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    files(&std::env::var_os("RETRY_SOURCES").map_or(workspace, PathBuf::from), &mut found);
    let (mut items, mut parts) = (Items::default(), Parts { count: 0 });
    for path in found {
        // Some files are half typed, to see what is said of them.
        let text = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&text);
        let Ok(file) = syn::parse_file(&text) else { continue };
        println!("{}", path.display());
        items.visit_file(&file);
        parts.visit_file(&file);
    }
    assert!(items.functions > 3_000, "{} functions", items.functions);
    assert!(items.types > 300, "{} types", items.types);
    assert!(parts.count > 50_000, "{} types, patterns and expressions", parts.count);
}
