//! What the README and the docs quote is what the repository holds.
//!
//! A fenced block under a comment `<!-- quote: PATH -->` stands in that file, line for line.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A fenced block, and the file that it claims to be from.
struct Block {
    source: Option<String>,
    language: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut source = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(quote) = line.strip_prefix("<!-- quote: ") {
            source = quote.strip_suffix(" -->").map(ToOwned::to_owned);
        } else if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let (language, text) = (language.to_owned(), text.join("\n"));
            blocks.push(Block { source: source.take(), language, text });
        } else if !line.is_empty() {
            source = None;
        }
    }
    blocks
}

fn pages() -> Vec<(String, Vec<Block>)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let macros = ["retry-runtime/doc/retry.md", "README.md"];
    docs.map(|path| format!("docs/{}", path.file_name().unwrap().to_str().unwrap()))
        .chain(macros.map(ToOwned::to_owned))
        .map(|name| {
            let blocks = blocks(&read(&name));
            (name, blocks)
        })
        .collect()
}

#[test]
fn every_quote_stands_in_the_file_that_it_is_from() {
    let mut quotes = 0;
    for (page, blocks) in pages() {
        for Block { source, text, .. } in &blocks {
            let Some(source) = source else { continue };
            quotes += 1;
            let source_text = read(source);
            assert!(
                format!("\n{source_text}\n").contains(&format!("\n{text}\n")),
                "{page} quotes what {source} does not hold:\n{text}"
            );
        }
    }
    assert!(quotes >= 15, "{quotes} quotes");
}

#[test]
fn every_compile_error_is_quoted_from_a_golden() {
    for (page, blocks) in pages() {
        for Block { source, text, .. } in &blocks {
            let is_error = text.starts_with("error");
            let golden = source.as_ref().is_some_and(|source| source.ends_with(".stderr"));
            assert!(!is_error || golden, "{page} shows an error that no golden holds:\n{text}");
        }
    }
}

fn function(file: &str, name: &str) -> String {
    let text = read(file);
    let start = text.find(&format!("pub async fn {name}(")).unwrap();
    text[start..].trim_end().to_owned()
}

#[test]
fn docs_expansion_is_the_whole_of_its_golden() {
    let blocks = blocks(&read("docs/expansion.md"));
    let page: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(page.join("\n"), function("tests/golden/readme.rs", "charge"));
}

#[test]
fn the_readme_shows_the_whole_expansion_and_exactly_two_commands() {
    let blocks = blocks(&read("README.md"));
    let expansion = function("tests/golden/readme.rs", "charge");
    assert!(blocks.iter().any(|block| block.text == expansion), "the expansion is in the README");
    let commands: Vec<&str> = blocks
        .iter()
        .filter(|block| block.language == "sh")
        .flat_map(|block| block.text.lines())
        .collect();
    assert_eq!(commands, ["cargo run --example checkout", "cargo test"]);
}
