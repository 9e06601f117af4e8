//! On what a run was made.

use std::process::Command;

/// The compiler and the processor, in one sentence.
pub(crate) fn described() -> String {
    let compiler = said_by("rustc", "--version").unwrap_or_else(|| "an unknown rustc".to_owned());
    let profile = if cfg!(debug_assertions) { "without optimisation" } else { "`--release`" };
    format!("{compiler}, {profile}, {}.", processor())
}

fn said_by(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn processor() -> String {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = described.lines().find_map(|line| line.strip_prefix("model name"));
    let model =
        model.map_or("an unknown processor", |model| model.trim_start_matches([':', ' ', '\t']));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores")
}
