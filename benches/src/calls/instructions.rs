//! How many instructions a call takes, counted by callgrind.
//!
//! This program runs itself under valgrind, with so many calls and with twice as many. What both do
//! besides falls out of the difference.

use super::situation::Situation;
use super::worker::REPEAT;
use std::env::current_exe;
use std::io;
use std::process::{Command, Stdio};

const CALLS: u32 = 2_000;

/// Whether instructions can be counted here.
pub(super) fn can_be_counted() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Instructions of one call.
///
/// # Errors
///
/// When valgrind cannot be run, or says nothing.
pub(super) fn of_a_call(situation: Situation, case: &str) -> io::Result<f64> {
    let once = of_calls(situation, case, CALLS)?;
    let twice = of_calls(situation, case, 2 * CALLS)?;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let more = twice.saturating_sub(once) as f64;
    Ok(more / f64::from(CALLS))
}

fn of_calls(situation: Situation, case: &str, calls: u32) -> io::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(current_exe()?)
        .args([REPEAT, situation.word(), case, &calls.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok());
    count.filter(|_| output.status.success()).ok_or_else(|| io::Error::other(said.into_owned()))
}
