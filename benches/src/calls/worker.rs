//! Measures one situation, in a process of its own: the clock of tokio is virtual in all of a
//! program or in nothing of it.

use super::case::Case;
use super::figures::Figures;
use super::instructions;
use super::situation::Situation;
use super::{bar, time};
use crate::statistics::{median, spread};
use std::env::{current_exe, var_os};
use std::error::Error;
use std::fmt::{self, Write};
use std::process::Command;
use tokio::runtime::Runtime;

/// Asks a worker for the figures of all contenders.
pub(super) const MEASURE: &str = "measure";
/// Asks it for the instructions of those that have a bar, and for nothing else.
pub(super) const COUNT: &str = "count";
/// Asks it how long one contender takes.
pub(crate) const TIME: &str = "time";
/// Asks it for the instructions of one; no answer where they cannot be counted.
pub(crate) const INSTRUCTIONS: &str = "instructions";
/// Has it make calls, to be watched by callgrind.
pub(super) const REPEAT: &str = "repeat";

/// Whether this is the first word of an order.
#[must_use]
pub fn knows(word: &str) -> bool {
    [MEASURE, COUNT, TIME, INSTRUCTIONS, REPEAT].contains(&word)
}

/// A contender whose calls did not give what they had to.
#[derive(Debug)]
pub(super) struct Failed(&'static str);

impl Failed {
    pub(super) fn of(case: &Case) -> Self {
        Self(case.name())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the calls of `{}` did not give what they had to", self.0)
    }
}

impl Error for Failed {}

/// The names of all who make calls in this situation; none for an unknown word.
#[must_use]
pub fn contenders(situation: &str) -> Vec<&'static str> {
    let cases = Situation::of(situation).map(Situation::cases).unwrap_or_default();
    cases.iter().map(Case::name).collect()
}

/// Does what another process has asked for, on this runtime, and gives the answer.
///
/// # Errors
///
/// When nobody can do that, or a contender fails.
pub fn work(order: &[String], runtime: &Runtime) -> Result<String, Box<dyn Error>> {
    let order: Vec<&str> = order.iter().map(String::as_str).collect();
    let situation = order.get(1).and_then(|word| Situation::of(word));
    match (&order[..], situation) {
        ([MEASURE, _], Some(situation)) => measure(situation, runtime),
        ([COUNT, _], Some(situation)) => count(situation),
        ([TIME, _, case], Some(situation)) => time_of(situation, case, runtime),
        ([INSTRUCTIONS, _, case], Some(situation)) => {
            let count = instructions_of(situation, case)?;
            Ok(count.map_or_else(String::new, |count| count.to_string()))
        }
        ([REPEAT, _, case, calls], Some(situation)) => {
            repeat(situation, case, calls.parse()?, runtime)?;
            Ok(String::new())
        }
        _ => Err(format!("no order for a worker: {order:?}").into()),
    }
}

/// The answer of a worker for this situation, in a process of its own.
pub(super) fn ask(situation: Situation, order: &str) -> Result<String, Box<dyn Error>> {
    let mut worker = match situation {
        Situation::Ready | Situation::YieldsOnce => Command::new(current_exe()?),
        Situation::FailsTwice => with_virtual_clock(),
    };
    let output = worker.args([order, situation.word()]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// A program of its own, because a tokio that can have a virtual clock takes longer to read it.
fn with_virtual_clock() -> Command {
    let mut cargo = Command::new(var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "-p", "retry-benches-virtual-clock"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    if cfg!(feature = "peers") {
        cargo.args(["--features", "peers"]);
    }
    cargo.arg("--").current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

fn measure(situation: Situation, runtime: &Runtime) -> Result<String, Box<dyn Error>> {
    let _entered = runtime.enter();
    let cases = situation.cases();
    let nanos = time::nanos(&cases, runtime, situation.drive())?;
    let sizes = situation.kibibytes();
    let mut lines = String::new();
    for ((case, nanos), kibibyte) in cases.iter().zip(nanos).zip(sizes) {
        let figures = Figures {
            name: case.name().to_owned(),
            spread: spread(&nanos),
            nanos: median(&nanos),
            instructions: instructions_of(situation, case.name())?,
            allocations: allocations(case, situation, runtime)?,
            size: case.size(),
            kibibyte: kibibyte.size(),
        };
        let _ = writeln!(lines, "{figures}");
    }
    Ok(lines)
}

/// The median of the rounds of one contender.
fn time_of(situation: Situation, name: &str, runtime: &Runtime) -> Result<String, Box<dyn Error>> {
    let _entered = runtime.enter();
    let mut cases = situation.cases();
    cases.retain(|case| case.name() == name);
    let nanos = time::nanos(&cases, runtime, situation.drive())?;
    let nanos = nanos.first().ok_or_else(|| format!("nobody is called {name}"))?;
    Ok(median(nanos).to_string())
}

fn instructions_of(situation: Situation, case: &str) -> Result<Option<f64>, Box<dyn Error>> {
    if !instructions::can_be_counted() {
        return Ok(None);
    }
    Ok(Some(instructions::of_a_call(situation, case)?))
}

/// Allocations of one call.
fn allocations(case: &Case, situation: Situation, runtime: &Runtime) -> Result<f64, Failed> {
    const CALLS: u32 = 300;
    let of = |calls| {
        let mut worked = false;
        let counted = allocation_counter::measure(|| {
            worked = case.repeat(runtime, situation.drive(), calls);
        });
        worked.then_some(counted.count_total).ok_or_else(|| Failed::of(case))
    };
    // The first calls may set up what lives as long as the thread.
    of(CALLS)?;
    let (none, some) = (of(0)?, of(CALLS)?);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let more = some.saturating_sub(none) as f64;
    Ok(more / f64::from(CALLS))
}

fn count(situation: Situation) -> Result<String, Box<dyn Error>> {
    let mut lines = String::new();
    for case in situation.cases().iter().filter(|case| bar::names(situation, case.name())) {
        let count = instructions::of_a_call(situation, case.name())?;
        let _ = writeln!(lines, "{}\t{count}", case.name());
    }
    Ok(lines)
}

fn repeat(
    situation: Situation,
    name: &str,
    calls: u32,
    runtime: &Runtime,
) -> Result<(), Box<dyn Error>> {
    let _entered = runtime.enter();
    let cases = situation.cases();
    let case = cases.iter().find(|case| case.name() == name);
    let case = case.ok_or_else(|| format!("nobody is called {name}"))?;
    if case.repeat(runtime, situation.drive(), calls) {
        Ok(())
    } else {
        Err(Failed::of(case).into())
    }
}
