//! What docs/taxonomy.md names as its proof exists.
//!
//! In backticks, `a/path` is a file of the repository, and `behaviour::module::name` is a test.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All that stands in backticks on the page.
fn mentions(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2)
}

#[test]
fn every_file_that_is_named_exists() {
    let page = read("docs/taxonomy.md");
    let paths: Vec<_> = mentions(&page).filter(|mention| mention.contains('/')).collect();
    assert!(paths.len() >= 30, "{} paths", paths.len());
    for path in paths {
        assert!(root().join(path).is_file(), "there is no {path}");
    }
}

#[test]
fn every_test_that_is_named_exists() {
    let page = read("docs/taxonomy.md");
    let tests: Vec<_> =
        mentions(&page).filter_map(|mention| mention.strip_prefix("behaviour::")).collect();
    assert!(tests.len() >= 25, "{} tests", tests.len());
    for test in tests {
        let (module, name) = test.split_once("::").unwrap_or_else(|| panic!("{test}: no module"));
        let source = read(&format!("tests/behaviour/{module}.rs"));
        assert!(source.contains(&format!("fn {name}() {{")), "there is no {test}");
    }
}
