//! Whether `::retry_runtime` can be reached from the crate that is being compiled.
//!
//! A crate that renames the dependency, or has it only through another crate, would get an
//! unresolved import in generated code. The manifest tells in time, so that the one error can say
//! what to write. Where there is no manifest to read, such as under another build tool, the
//! compiler is left to judge.

use crate::diag::{self, Mistakes};
use crate::parse::Arguments;
use proc_macro2::Span;
use std::path::Path;
use std::sync::OnceLock;

const NAME: &str = "retry-runtime";

/// What the manifest says of `retry-runtime`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runtime {
    /// It is a dependency by this name, or nobody knows.
    Reachable,
    /// It is not.
    Missing,
}

/// The default path leads somewhere, or the user gave one.
pub(crate) fn check(arguments: &Arguments, runtime: Runtime, mistakes: &mut Mistakes) {
    if arguments.krate.get().is_none() && runtime == Runtime::Missing {
        mistakes.push(diag::CRATE_MISSING.at_span(Span::call_site(), &[]));
    }
}

impl Runtime {
    /// Read once for all attributes of a crate; an editor expands many crates in one process.
    pub(crate) fn of_this_crate() -> Self {
        static FIRST: OnceLock<(String, Runtime)> = OnceLock::new();
        let Ok(folder) = std::env::var("CARGO_MANIFEST_DIR") else { return Self::Reachable };
        match FIRST.get_or_init(|| (folder.clone(), Self::read(&folder))) {
            (known, runtime) if *known == folder => *runtime,
            _ => Self::read(&folder),
        }
    }

    fn read(folder: &str) -> Self {
        let is_itself = std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == NAME);
        match std::fs::read_to_string(Path::new(folder).join("Cargo.toml")) {
            Ok(manifest) if !is_itself && !is_named_in(&manifest) => Self::Missing,
            _ => Self::Reachable,
        }
    }
}

/// A dependency by that name: `retry-runtime = ...`, `retry-runtime.workspace = true`, or a table
/// `[dependencies.retry-runtime]`.
fn is_named_in(manifest: &str) -> bool {
    manifest.lines().map(str::trim).any(|line| {
        let key = line.trim_start_matches('"');
        let is_key = key
            .strip_prefix(NAME)
            .is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with(['=', '.']));
        let is_table = line.starts_with('[') && line.trim_end_matches(']').ends_with(NAME);
        is_key || is_table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_counts_by_its_name_and_not_by_its_package() {
        for named in [
            "[dependencies]\nretry-runtime = \"0.1\"",
            "[dev-dependencies]\n  retry-runtime = { path = \"x\" }",
            "[dependencies]\nretry-runtime.workspace = true",
            "[dependencies.retry-runtime]\nversion = \"1\"",
            "[target.'cfg(unix)'.dependencies.retry-runtime]",
            "[dependencies]\n\"retry-runtime\" = \"0.1\"",
        ] {
            assert!(is_named_in(named), "{named}");
        }
        for other in [
            "[dependencies]\nrr = { package = \"retry-runtime\", version = \"0.1\" }",
            "[dependencies]\nretry-runtime-extras = \"1\"",
            "[dependencies]\n# retry-runtime = \"0.1\"",
        ] {
            assert!(!is_named_in(other), "{other}");
        }
    }
}
