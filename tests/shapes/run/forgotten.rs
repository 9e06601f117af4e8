//! That the list of rows is whole.

use super::rows::ROWS;

const SOURCES: &[(&str, &str)] = &[
    ("bodies", include_str!("../bodies.rs")),
    ("generics", include_str!("../generics.rs")),
    ("neighbours", include_str!("../neighbours.rs")),
    ("parameters", include_str!("../parameters.rs")),
    ("receivers", include_str!("../receivers.rs")),
    ("results", include_str!("../results.rs")),
    ("strict", include_str!("../strict.rs")),
    ("traits", include_str!("../traits.rs")),
];

#[test]
fn every_annotated_function_has_a_row() {
    for (module, source) in SOURCES {
        for function in annotated_functions(source) {
            let is_of = |test: &str| test == function || test.ends_with(&format!("_{function}"));
            let found = ROWS.iter().any(|(of, test)| of == module && is_of(test));
            assert!(found, "no row runs {module}::{function}");
        }
    }
    let annotated: usize =
        SOURCES.iter().map(|(_, source)| annotated_functions(source).len()).sum();
    assert!(annotated >= 90, "{annotated} is fewer than there were");
}

/// The name behind each attribute. Those that macros make up are not seen.
fn annotated_functions(source: &str) -> Vec<&str> {
    let behind = source.split("kit::retry(").skip(1);
    let names = behind.filter_map(|behind| {
        let (_, name) = behind.split_once("fn ")?;
        name.strip_prefix("r#")
            .unwrap_or(name)
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    });
    names.filter(|name| !name.is_empty()).collect()
}
