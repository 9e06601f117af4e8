//! What a call that succeeds asks of its downstream, by one thread and by two at the same time.
//!
//! A round lets every operation run for a moment by one thread and then by two; the rounds follow
//! each other, so that a slow moment of the machine meets all of them. A figure is the median of
//! its rounds.

mod cores;
mod operation;
mod ours;
mod peers;
mod race;

use crate::table::Table;
use cores::Cores;
use operation::Operation;
use race::{Failed, race};
use std::fmt;
use std::time::Duration;

const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(30);

/// What the operations of one run came to.
pub(crate) struct Report {
    pinned: bool,
    figures: Vec<Figures>,
}

/// Million operations per second of one operation, all threads together.
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
/// [`Failed`] when an operation did not do what it is measured for.
pub(crate) fn run() -> Result<Report, Failed> {
    let cores = Cores::find();
    let operations: Vec<Operation> = ours::operations().chain(peers::operations()).collect();
    let mut rates = vec![(Vec::new(), Vec::new()); operations.len()];
    for _ in 0..ROUNDS {
        for (operation, (alone, together)) in operations.iter().zip(&mut rates) {
            alone.push(race(operation, 1, ROUND, &cores)?);
            together.push(race(operation, 2, ROUND, &cores)?);
        }
    }
    let figures = operations.iter().zip(rates).map(|(operation, (alone, together))| Figures {
        name: operation.name(),
        alone: median(alone),
        spread: spread(&together),
        together: median(together),
    });
    Ok(Report { pinned: cores.are_pinned(), figures: figures.collect() })
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN)
}

fn spread(rates: &[f64]) -> (f64, f64) {
    rates
        .iter()
        .fold((f64::INFINITY, 0.0), |(least, most), rate| (least.min(*rate), most.max(*rate)))
}

impl Report {
    fn named(&self, name: &str) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.name == name)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            "operation",
            "1 thread, M/s",
            "ns",
            "2 threads, M/s",
            "slowest to fastest",
            "ns each",
            "2 to 1",
            "to tower (1)",
            "to tower (2)",
            "to failsafe (1)",
            "to failsafe (2)",
        ]);
        let tower = self.named(peers::TOWER);
        let failsafe = self.named(peers::FAILSAFE);
        for figures in &self.figures {
            table.push(figures.row(tower, failsafe));
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
            "The last four columns: times the operations per second of `{}` and of `{}`, by 1 thread \
             and by 2.\n\
             Where `{}` is not near 2 to 1, something else ran at the same time: run it again.\n",
            peers::TOWER,
            peers::FAILSAFE,
            peers::LOAD
        )?;
        write!(f, "{table}")
    }
}

impl Figures {
    fn row(&self, tower: Option<&Self>, failsafe: Option<&Self>) -> Vec<String> {
        let (least, most) = self.spread;
        let mut row = vec![
            self.name.to_owned(),
            format!("{:.1}", self.alone),
            format!("{:.1}", 1e3 / self.alone),
            format!("{:.1}", self.together),
            format!("{least:.1} to {most:.1}"),
            format!("{:.1}", 2e3 / self.together),
            format!("{:.2}", self.together / self.alone),
        ];
        for peer in [tower, failsafe] {
            row.push(ratio(self.alone, peer.map(|peer| peer.alone)));
            row.push(ratio(self.together, peer.map(|peer| peer.together)));
        }
        row
    }
}

fn ratio(rate: f64, peer: Option<f64>) -> String {
    peer.map_or_else(String::new, |peer| format!("{:.1}", rate / peer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[test]
    fn every_operation_works_alone_and_together() {
        let cores = Cores::find();
        for operation in ours::operations().chain(peers::operations()) {
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

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert_eq!(spread(&[3.0, 1.0, 2.0]), (1.0, 3.0));
    }
}
