//! What the features `tracing` and `metrics` cost a call that succeeds, while nobody listens.
//!
//! A program is built with the features and one without, and they take turns.

use crate::calls::worker::{INSTRUCTIONS, TIME};
use crate::machine;
use crate::statistics::{median, spread};
use crate::table::Table;
use std::env::{consts::EXE_SUFFIX, current_exe, var_os};
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often each of the two is asked; each time it gives the median of rounds of its own.
const TURNS: usize = 9;

/// The bar: so many nanoseconds more.
const MOST_NANOS: f64 = 10.0;

/// What is called, and in which situation.
const CALLS: [(&str, &str); 4] = [
    ("ready", "retry, a policy and nothing else"),
    ("ready", "retry, complete"),
    ("ready", "retry, complete, a write with a key"),
    ("yields-once", "retry, complete"),
];

/// What all turns of one run came to.
#[derive(Debug)]
pub struct Report(Vec<Row>);

#[derive(Debug)]
struct Row {
    situation: &'static str,
    call: &'static str,
    without: Figures,
    with: Figures,
}

#[derive(Debug)]
struct Figures {
    nanos: Vec<f64>,
    /// None where valgrind is missing.
    instructions: Option<f64>,
}

/// Measures everything.
///
/// # Errors
///
/// When one of the two programs cannot be built or run.
pub fn run() -> Result<Report, Box<dyn Error>> {
    let (without, with) = (current_exe()?, build()?);
    let mut rows = Vec::new();
    for (situation, call) in CALLS {
        let mut nanos = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            nanos.0.extend(ask(&without, TIME, situation, call)?);
            nanos.1.extend(ask(&with, TIME, situation, call)?);
        }
        let count = |program: &Path| ask(program, INSTRUCTIONS, situation, call);
        rows.push(Row {
            situation,
            call,
            without: Figures { nanos: nanos.0, instructions: count(&without)? },
            with: Figures { nanos: nanos.1, instructions: count(&with)? },
        });
    }
    Ok(Report(rows))
}

/// The program with the features, which lies beside this one.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "retry-benches-events"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    if !cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status()?.success() {
        return Err("retry-benches-events cannot be built".into());
    }
    Ok(current_exe()?.with_file_name(format!("retry-benches-events{EXE_SUFFIX}")))
}

/// One figure; none if the program cannot tell.
fn ask(
    program: &Path,
    order: &str,
    situation: &str,
    call: &str,
) -> Result<Option<f64>, Box<dyn Error>> {
    let output = Command::new(program).args([order, situation, call]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let said = String::from_utf8(output.stdout)?;
    Ok(if said.trim().is_empty() { None } else { Some(said.trim().parse()?) })
}

impl Row {
    /// How much longer a call takes with the features.
    fn more(&self) -> f64 {
        median(&self.with.nanos) - median(&self.without.nanos)
    }

    fn cells(&self) -> Vec<String> {
        let nanos = |figures: &Figures| {
            let (least, most) = spread(&figures.nanos);
            format!("{:.1} ({least:.1} to {most:.1})", median(&figures.nanos))
        };
        let count = |figures: &Figures| {
            figures.instructions.map_or_else(|| "-".to_owned(), |count| format!("{count:.0}"))
        };
        vec![
            format!("{}, {}", self.call, self.situation),
            nanos(&self.without),
            nanos(&self.with),
            format!("{:+.1}", self.more()),
            count(&self.without),
            count(&self.with),
        ]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([
            "a call that succeeds",
            "without, ns",
            "with, ns",
            "more, ns",
            "without, instructions",
            "with, instructions",
        ]);
        for row in &self.0 {
            table.push(row.cells());
        }
        let kept = self.0.iter().all(|row| row.more() <= MOST_NANOS);
        let verdict = if kept { "kept" } else { "NOT KEPT" };
        writeln!(
            f,
            "Built without and with the features `tracing` and `metrics`, while nobody listens: \
             median of {TURNS} turns (fastest to slowest). {}\n",
            machine::described()
        )?;
        writeln!(f, "{table}\n")?;
        write!(f, "At most {MOST_NANOS} ns more: {verdict}.")
    }
}
