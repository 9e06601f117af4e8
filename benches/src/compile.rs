//! What an annotation costs a compiler, beside other attributes and beside none, in one run.
//!
//! Crates with a thousand functions are written into the target directory, one for each contender,
//! and checked in turns. Their times are of the processors, so that other work counts little.

mod bar;
mod cold;
mod functions;
mod project;

use crate::machine;
use crate::statistics::{median, spread};
use crate::table::Table;
use bar::Measured;
use cold::Cold;
use functions::{Contender, FUNCTIONS};
use project::{Incremental, Project};
use std::error::Error;
use std::fmt;

const ROUNDS: usize = 5;

/// What the contenders of one run came to.
#[derive(Debug)]
pub struct Report {
    checks: Vec<Checks>,
    cold: Vec<Cold>,
}

/// Seconds of `cargo check` for one contender.
#[derive(Debug)]
struct Checks {
    name: &'static str,
    incremental: Vec<f64>,
    full: Vec<f64>,
}

/// Measures everything.
///
/// # Errors
///
/// When a crate cannot be written or built.
pub fn run() -> Result<Report, Box<dyn Error>> {
    let mut checks = Vec::new();
    for Contender { name, directory, dependencies, source } in functions::contenders() {
        let project = Project::write(directory, &dependencies, &source)?;
        // What it depends on is built first, and so is the state that incremental builds start from.
        project.check(Incremental::Yes)?;
        project.check(Incremental::No)?;
        checks.push((project, Checks { name, incremental: Vec::new(), full: Vec::new() }));
    }
    for _ in 0..ROUNDS {
        for (project, checks) in &mut checks {
            checks.incremental.push(project.check(Incremental::Yes)?);
            checks.full.push(project.check(Incremental::No)?);
        }
    }
    let checks = checks.into_iter().map(|(_, checks)| checks).collect();
    Ok(Report { checks, cold: cold::run()? })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# What an annotation costs the compiler\n\n{}\n", machine::described())?;
        writeln!(
            f,
            "## `cargo check` of {FUNCTIONS} functions\n\nSeconds of the processors, median of \
             {ROUNDS}. The source is newer than at the last check, and its text the same.\n\n{}\n",
            self.checks()
        )?;
        writeln!(f, "## A first build of what a user depends on\n")?;
        writeln!(f, "{}", cold::table(&self.cold))?;
        if let Some(measured) = self.measured() {
            write!(f, "\n## Bars\n\n{}", measured.table())?;
        }
        Ok(())
    }
}

impl Report {
    /// What the bars are about.
    fn measured(&self) -> Option<Measured> {
        let [plain, ours, ..] = &self.checks[..] else { return None };
        let [our_build, their_build, ..] = &self.cold[..] else { return None };
        Some(Measured {
            incremental: median(&ours.incremental) / median(&plain.incremental),
            full: median(&ours.full) / median(&plain.full),
            cold: our_build.seconds() / their_build.seconds(),
        })
    }

    fn checks(&self) -> Table {
        let mut table = Table::new([
            "each function",
            "incremental, s",
            "fastest to slowest",
            "to plain",
            "full, s",
            "fastest to slowest",
            "to plain",
        ]);
        let Some(plain) = self.checks.first() else { return table };
        let (incremental, full) = (median(&plain.incremental), median(&plain.full));
        for checks in &self.checks {
            let cells = [(&checks.incremental, incremental), (&checks.full, full)]
                .into_iter()
                .flat_map(|(seconds, plain)| {
                    let (fastest, slowest) = spread(seconds);
                    [
                        format!("{:.2}", median(seconds)),
                        format!("{fastest:.2} to {slowest:.2}"),
                        format!("{:.2}", median(seconds) / plain),
                    ]
                });
            table.push([checks.name.to_owned()].into_iter().chain(cells).collect());
        }
        table
    }
}
