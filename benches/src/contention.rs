//! What a call that succeeds asks of its downstream, by one thread and by two at the same time.
//!
//! A round lets every operation run for a moment by one thread and then by two; the rounds follow
//! each other, so that a slow moment of the machine meets all of them. A figure is the median of
//! its rounds.

mod cores;
mod floor;
mod operation;
mod ours;
#[cfg(feature = "peers")]
mod peers;
mod race;

use crate::statistics::{median, spread};
use crate::table::Table;
use cores::Cores;
use floor::LOAD;
use operation::Operation;
use race::race;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The deposit that tower's retry layer makes for a success.
const TOWER: &str = "tower, deposit";
/// A call through failsafe's breaker, which asks for leave and reports the success.
const FAILSAFE: &str = "failsafe, call";
/// The same of recloser's.
const RECLOSER: &str = "recloser, call";

const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(30);

/// What the operations of one run came to.
#[derive(Debug)]
pub struct Report {
    pinned: bool,
    figures: Vec<Figures>,
}

/// Million operations per second of one operation, all threads together.
#[derive(Debug)]
struct Figures {
    name: &'static str,
    alone: f64,
    together: f64,
    /// The slowest and the fastest round of two threads.
    spread: (f64, f64),
}

/// Measures everything.
///
/// # Errors
///
/// When an operation did not do what it is measured for.
pub fn run() -> Result<Report, Box<dyn Error>> {
    let cores = Cores::find();
    let operations = operations();
    let mut rates = vec![(Vec::new(), Vec::new()); operations.len()];
    for _ in 0..ROUNDS {
        for (operation, (alone, together)) in operations.iter().zip(&mut rates) {
            alone.push(race(operation, 1, ROUND, &cores)?);
            together.push(race(operation, 2, ROUND, &cores)?);
        }
    }
    let figures = operations.iter().zip(rates).map(|(operation, (alone, together))| Figures {
        name: operation.name(),
        alone: median(&alone),
        spread: spread(&together),
        together: median(&together),
    });
    Ok(Report { pinned: cores.are_pinned(), figures: figures.collect() })
}

fn operations() -> Vec<Operation> {
    let mut operations: Vec<Operation> = ours::operations().collect();
    #[cfg(feature = "peers")]
    operations.extend(peers::operations());
    operations.extend(floor::operations());
    operations
}

impl Report {
    fn named(&self, name: &str) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.name == name)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let peers: Vec<_> =
            [TOWER, FAILSAFE, RECLOSER].iter().filter_map(|name| self.named(name)).collect();
        let mut head: Vec<String> =
            ["operation", "1 thread, M/s", "ns", "2 threads, M/s", "slowest to fastest", "2 to 1"]
                .map(ToOwned::to_owned)
                .into();
        for peer in &peers {
            let (name, _) = peer.name.split_once(',').unwrap_or((peer.name, ""));
            head.extend([format!("to {name} (1)"), format!("to {name} (2)")]);
        }
        let mut table = Table::new(head);
        for figures in &self.figures {
            table.push(figures.row(&peers));
        }
        let threads = if self.pinned { "each pinned to a core of its own" } else { "not pinned" };
        writeln!(
            f,
            "Threads: {threads}. M/s: million operations per second, all threads together, median of \
             {ROUNDS} rounds of {} ms.",
            ROUND.as_millis()
        )?;
        writeln!(
            f,
            "The last columns: times the operations per second of a deposit of tower's budget and of a \
             call through failsafe's and recloser's breakers, by 1 thread and by 2.\n\
             Where `{LOAD}` is not near 2 to 1, something else ran at the same time: run it again.\n"
        )?;
        write!(f, "{table}")
    }
}

impl Figures {
    fn row(&self, peers: &[&Self]) -> Vec<String> {
        let (least, most) = self.spread;
        let mut row = vec![
            self.name.to_owned(),
            format!("{:.1}", self.alone),
            format!("{:.1}", 1e3 / self.alone),
            format!("{:.1}", self.together),
            format!("{least:.1} to {most:.1}"),
            format!("{:.2}", self.together / self.alone),
        ];
        for peer in peers {
            row.push(format!("{:.1}", self.alone / peer.alone));
            row.push(format!("{:.1}", self.together / peer.together));
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[test]
    fn every_operation_works_alone_and_together() {
        let cores = Cores::find();
        for operation in operations() {
            for threads in [1, 2] {
                let rate = race(&operation, threads, Duration::from_millis(2), &cores);
                assert!(rate.is_ok_and(|rate| rate > 0.0), "{}", operation.name());
            }
        }
    }

    #[test]
    fn no_success_allocates() {
        let now = Instant::now();
        for operation in ours::operations() {
            // The first may set up what lives as long as the process.
            assert!(operation.repeat(now, 1));
            let counted = allocation_counter::measure(|| {
                operation.repeat(now, 1_000);
            });
            assert_eq!(counted.count_total, 0, "{}", operation.name());
        }
    }

    #[test]
    fn the_counter_counts() {
        let counted = allocation_counter::measure(|| {
            std::hint::black_box(Box::new(1));
        });
        assert_eq!(counted.count_total, 1);
    }
}
