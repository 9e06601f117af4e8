//! docs/diagnostics.md and the rules say the same.

use crate::diag::RULES;
use std::collections::BTreeSet;

fn root(path: &str) -> String {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rules of the policy and the downstream have their names in the runtime.
fn rules_of_the_runtime() -> Vec<String> {
    let source = root("retry-runtime/src/policy/rule.rs");
    let start = source.find("enum Rule {").unwrap();
    let variants = source[start..].lines().skip(1).take_while(|line| *line != "}");
    let names = variants.map(|line| snake_case(line.trim().trim_end_matches(',')));
    names
        .chain(["budget_ratio", "breaker_settings", "limit_settings"].map(ToOwned::to_owned))
        .collect()
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[test]
fn every_rule_has_an_entry_and_every_entry_a_rule() {
    let page = root("docs/diagnostics.md");
    let entries: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    let of_the_runtime = rules_of_the_runtime();
    let rules: BTreeSet<&str> = RULES
        .iter()
        .map(|rule| rule.name)
        .chain(of_the_runtime.iter().map(String::as_str))
        .chain(TYPES.iter().copied())
        .collect();
    assert_eq!(entries, rules);
}

/// What traits decide, and the borrow checker.
const TYPES: &[&str] = &[
    "type_without_result",
    "type_without_class",
    "type_without_stop",
    "type_of_the_key",
    "type_of_the_wait",
    "argument_used_up",
];

#[test]
fn every_sentence_says_what_to_write_in_lower_case() {
    for rule in RULES {
        let sentence = rule.at_span(proc_macro2::Span::call_site(), &[]).sentence;
        let first = sentence.chars().next().unwrap();
        assert!(first.is_lowercase() || first == '`', "{}: {sentence}", rule.name);
        assert!(!sentence.ends_with('.'), "{}: {sentence}", rule.name);
        let names_what_to_write =
            sentence.contains(": ") || sentence.starts_with("expected") || sentence.contains("{1}");
        assert!(names_what_to_write, "{}: {sentence}", rule.name);
    }
}
