//! The attribute and the derive as rustc sees them: files that compile and run, and files that are
//! refused, with what is said of them.
//!
//! `TRYBUILD=overwrite cargo test -p retry-tests --test ui` writes the goldens anew; a file there
//! shows one defect, and is named after it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use trybuild::TestCases;

/// What the macros find. The sentences are theirs, and every rustc prints them alike.
const OURS: [&str; 5] = ["arguments", "body", "derive", "effect", "shape"];

/// What rustc finds, in our words or its own.
const RUSTCS: [&str; 4] = ["moves", "policy", "types", "untouched"];

/// The rustc that wrote the goldens of [`RUSTCS`].
const BLESSED_BY: &str = "rustc 1.95.";

#[test]
fn valid_uses_compile_and_run() {
    TestCases::new().pass("ui/pass/*/*.rs");
}

#[test]
fn mistakes_are_reported_by_the_macros() {
    refuse(&OURS, Path::new("ui/fail"));
}

#[test]
fn mistakes_are_reported_by_rustc() {
    let version = rustc_version();
    if version.starts_with(BLESSED_BY) {
        refuse(&RUSTCS, Path::new("ui/fail"));
    } else {
        // Not `println!`, which the test harness swallows.
        let version = version.trim();
        let note = "the goldens are not its own, so only codes, places and our words are compared";
        writeln!(io::stderr(), "{version}: {note}").expect("standard error can be written to");
        check_essence();
    }
}

fn refuse(groups: &[&str], root: &Path) {
    let cases = TestCases::new();
    for group in groups {
        cases.compile_fail(root.join(group).join("*.rs"));
    }
}

fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Has this rustc write goldens for copies of the files, and looks for the essence of ours in them.
fn check_essence() {
    copy_files();
    let bless = Command::new(env::current_exe().expect("this program has a path"))
        .args(["--exact", "bless_the_copies"])
        .envs([("TRYBUILD", "overwrite"), (BLESSING, "1")])
        .output()
        .expect("this program runs again");
    assert!(bless.status.success(), "{}", String::from_utf8_lossy(&bless.stdout));

    let mut lost = Vec::new();
    for (group, golden) in files("stderr") {
        let name = golden.file_name().expect("a file has a name");
        let said = fs::read_to_string(copies().join(group).join(name)).unwrap_or_default();
        let expected = fs::read_to_string(&golden).expect("a golden can be read");
        let missing = essence(&expected).into_iter().filter(|part| !said.contains(part));
        lost.extend(missing.map(|part| format!("{}: {part}", golden.display())));
    }
    assert!(lost.is_empty(), "this rustc no longer says:\n{}", lost.join("\n"));
}

/// Set where this program runs itself to have the copies blessed.
const BLESSING: &str = "RETRY_BLESS_THE_COPIES";

/// A part of the test above: trybuild writes goldens only for a whole process.
#[test]
fn bless_the_copies() {
    if env::var_os(BLESSING).is_some() {
        refuse(&RUSTCS, &copies());
    }
}

/// Where the copies are, outside of the work tree.
fn copies() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui")
}

fn copy_files() {
    // What an earlier run left, if there was one.
    let _ = fs::remove_dir_all(copies());
    for (group, file) in files("rs") {
        let copy = copies().join(group);
        fs::create_dir_all(&copy).expect("a folder can be made");
        let name = file.file_name().expect("a file has a name");
        fs::copy(&file, copy.join(name)).expect("a file can be copied");
    }
}

/// The files of [`RUSTCS`] with this extension, and their groups.
fn files(extension: &str) -> Vec<(&'static str, PathBuf)> {
    let mut files = Vec::new();
    for group in RUSTCS {
        let entries = fs::read_dir(Path::new("ui/fail").join(group)).expect("a group is a folder");
        let paths = entries.map(|entry| entry.expect("an entry can be read").path());
        let chosen = paths.filter(|path| path.extension().is_some_and(|other| other == extension));
        files.extend(chosen.map(|path| (group, path)));
    }
    files
}

/// What every rustc has to say: the code and the place of each error, and our own sentence.
fn essence(golden: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut lines = golden.lines();
    while let Some(line) = lines.next() {
        let Some(error) = line.strip_prefix("error") else { continue };
        // In other codes than these two the sentence is rustc's, which it may reword.
        match error.split_once("]: ") {
            Some((code @ "[E0080", sentence)) => {
                parts.push(code);
                parts.extend(sentence.split_once(": ").map(|(_, ours)| ours));
            }
            Some(("[E0277", sentence)) => parts.push(sentence),
            Some((code, _)) => parts.push(code),
            None => {}
        }
        let place = lines.find(|line| line.trim_start().starts_with("--> "));
        parts.extend(place.and_then(|place| place.rsplit('/').next()));
    }
    parts
}
