//! What docs/conformance.md names exists, and it names all that is here.
//!
//! In backticks, `conformance::file::name` and `behaviour::file::name` are tests, with a module
//! between the two names or without, and `tests/...` is a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The tests of a folder that the page names: file, module, name.
fn named(page: &str, folder: &str) -> BTreeSet<Vec<String>> {
    let mentions = page.split('`').skip(1).step_by(2);
    let tests = mentions.filter_map(|mention| mention.strip_prefix(folder)?.strip_prefix("::"));
    tests
        .filter(|test| *test != "file::name")
        .map(|test| test.split("::").map(str::to_owned).collect())
        .collect()
}

/// The tests in a file, with their module where they have one.
fn tests(file: &str) -> Vec<Vec<String>> {
    let source = read(&format!("tests/conformance/{file}.rs"));
    let (mut module, mut tests, mut follows) = (None, Vec::new(), false);
    for line in source.lines() {
        if let Some(name) = line.strip_prefix("mod ").and_then(|line| line.strip_suffix(" {")) {
            module = Some(name.to_owned());
        }
        if let Some((_, name)) = line.split_once("fn ").filter(|_| follows) {
            let name = name.split('(').next().unwrap_or(name).to_owned();
            tests.push([file.to_owned()].into_iter().chain(module.clone()).chain([name]).collect());
        }
        follows = line.contains("#[test]") || line.contains("#[tokio::test");
    }
    tests
}

#[test]
fn every_test_of_this_folder_is_on_the_page_and_no_other() {
    let files = fs::read_dir(root().join("tests/conformance")).unwrap();
    let files = files.map(|file| file.unwrap().path().file_stem().unwrap().display().to_string());
    let here: BTreeSet<_> =
        files.filter(|file| file != "page").flat_map(|file| tests(&file)).collect();
    assert!(here.len() >= 60, "{} tests", here.len());
    assert_eq!(named(&read("docs/conformance.md"), "conformance"), here);
}

#[test]
fn every_other_test_and_file_that_is_named_exists() {
    let page = read("docs/conformance.md");
    for test in named(&page, "behaviour") {
        let [file, name] = test.as_slice() else { panic!("{test:?}") };
        let source = read(&format!("tests/behaviour/{file}.rs"));
        assert!(source.contains(&format!("fn {name}() {{")), "there is no {test:?}");
    }
    for path in page.split('`').skip(1).step_by(2).filter(|path| path.starts_with("tests/")) {
        assert!(root().join(path).exists(), "there is no {path}");
    }
}
