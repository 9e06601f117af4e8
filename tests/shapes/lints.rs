//! The attribute adds no lint to a function, and hides none.
//!
//! Clippy reads every shape twice, with the attribute and without it, and the functions under
//! `linted/` too, which have faults. What it says must be the same, at the same place.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output};

/// What one lint said, and where.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    place: Vec<String>,
    code: String,
    message: String,
}

/// How often each was said.
type Findings = BTreeMap<Finding, u32>;

/// Lints that are about what the attribute changes.
const ABOUT_THE_LOOP: &[&str] = &[
    // A body that awaits nothing makes `async` unneeded; the loop around it awaits.
    "clippy::unused_async",
];

#[test]
fn o_a11_the_lints_say_the_same_of_both_functions() {
    if !cargo(&["clippy", "--version"]).status.success() {
        // Not `println!`, which the test harness swallows.
        let _ = writeln!(io::stderr(), "SKIPPED: no cargo clippy here, so no lints are compared");
        return;
    }
    let output = clippy();
    for edition in ["2021", "2024"] {
        let plain = findings(&output, &format!("retry_plain_{edition}"));
        let retried = findings(&output, &format!("retry_edition_{edition}"));
        check_not_idle(&plain);
        let (hidden, added) = (more(&plain, &retried), more(&retried, &plain));
        assert!(
            hidden.is_empty() && added.is_empty(),
            "edition {edition}, hidden: {hidden:#?}, added: {added:#?}"
        );
    }
}

/// What was said more often of these functions than of the others.
fn more<'f>(these: &'f Findings, others: &Findings) -> Vec<&'f Finding> {
    let is_more = |&(finding, times): &(_, &u32)| others.get(finding).is_none_or(|o| times > o);
    these.iter().filter(is_more).map(|(finding, _)| finding).collect()
}

/// The lints were awake, down to those that only speak where there is no documentation.
fn check_not_idle(findings: &Findings) {
    for code in [
        "clippy::missing_errors_doc",
        "clippy::needless_return",
        "clippy::too_many_arguments",
        "dead_code",
        "missing_docs",
        "unused_must_use",
        "unused_mut",
        "unused_variables",
    ] {
        assert!(findings.keys().any(|finding| finding.code == code), "nothing of {code}");
    }
    assert!(findings.len() > 400, "only {} findings", findings.len());
}

fn clippy() -> String {
    let packages =
        ["retry-plain-2021", "retry-edition-2021", "retry-plain-2024", "retry-edition-2024"];
    let packages = packages.iter().flat_map(|name| ["--package", name]);
    let mut arguments = vec!["clippy", "--lib", "--offline", "--message-format=json"];
    arguments.extend(packages);
    arguments.extend(["--", "--cfg", "linted", "--cap-lints", "warn"]);
    let output = cargo(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// Runs cargo, with a target directory that the cargo which runs this test has not locked.
fn cargo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints"))
        .output()
        .expect("cargo runs")
}

fn findings(output: &str, target: &str) -> Findings {
    let messages = output.lines().map(|line| -> Value {
        serde_json::from_str(line).expect("cargo writes a JSON object a line")
    });
    let said = messages
        .filter(|message| message["target"]["name"] == target)
        .filter_map(|message| finding(&message["message"]))
        .filter(|finding| !ABOUT_THE_LOOP.contains(&finding.code.as_str()));
    let mut findings = Findings::new();
    said.for_each(|finding| *findings.entry(finding).or_default() += 1);
    findings
}

/// None for what is no lint, such as the number of warnings.
fn finding(message: &Value) -> Option<Finding> {
    let spans = message["spans"].as_array()?;
    let mut place: Vec<String> =
        spans.iter().filter(|span| span["is_primary"] == true).map(place).collect();
    place.sort();
    Some(Finding {
        place,
        code: message["code"]["code"].as_str()?.to_owned(),
        message: message["message"].as_str()?.to_owned(),
    })
}

/// The file below `shapes/`, and the stretch in it.
fn place(span: &Value) -> String {
    let file = span["file_name"].as_str().unwrap_or_default();
    let file = file.rsplit_once("shapes/").map_or(file, |(_, file)| file);
    let [line, column, last_line, last_column] =
        ["line_start", "column_start", "line_end", "column_end"].map(|edge| &span[edge]);
    format!("{file}:{line}:{column}-{last_line}:{last_column}")
}
