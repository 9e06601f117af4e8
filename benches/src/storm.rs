//! What a simulated storm costs as its clients become more: time beside n log n, and memory.

use crate::table::Table;
use crate::{cpu, machine, memory};
use retry_runtime::storm::{Arrivals, Fault, NO_BUDGET, Server, ServiceTime, Storm, StormError};
use retry_runtime::{Budget, Downstream, Jitter, Policy};
use std::fmt;
use std::time::Duration;

const SIZES: [u32; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// All sizes take turns, so often. What else runs on a machine makes one run slower and not the next,
/// so the fastest counts.
const ROUNDS: u32 = 3;

/// In each turn small storms are repeated for so long.
const ENOUGH: Duration = Duration::from_millis(300);

const THREE: Policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(1))
    .max_attempts(3)
    .deadline(Duration::from_secs(60));

const FIFTH: Budget = Budget::ratio(0.2);

/// A storm of so many clients, and what limits its retries.
type Scenario = (&'static str, fn(u32) -> (Storm, Budget));

const SCENARIOS: [Scenario; 5] = [
    ("fail together, full jitter, budget 0.2", |clients| (together(clients, Jitter::Full), FIFTH)),
    ("fail together, lockstep, no budget", |clients| (together(clients, Jitter::None), NO_BUDGET)),
    ("a second of arrivals, a queue, an outage", |clients| (queued(clients), FIFTH)),
    ("3 layers, one owner", |clients| (layers(clients), NO_BUDGET)),
    ("3 layers, every one retries: 27 sends each", |clients| {
        (layers(clients).every_layer_retries(), NO_BUDGET)
    }),
];

const fn server() -> Server {
    Server::new(ServiceTime::constant(Duration::from_millis(8)))
}

fn down_for(server: Server, millis: u64) -> Server {
    server.fault(Fault::between(Duration::ZERO, Duration::from_millis(millis)))
}

fn together(clients: u32, jitter: Jitter) -> Storm {
    Storm::new(THREE.jitter(jitter), down_for(server(), 300)).clients(clients)
}

/// As many calls as clients, and a server that is up to them when it is up.
fn queued(clients: u32) -> Storm {
    let server = Server::new(ServiceTime::exponential(Duration::from_millis(8)));
    let server = down_for(server.capacity(clients / 100).queue(clients / 10), 300);
    let second = Arrivals::poisson(clients.into(), Duration::from_secs(1));
    Storm::new(THREE, server).clients(clients).arrivals(second)
}

fn layers(clients: u32) -> Storm {
    Storm::new(THREE, down_for(server(), 600_000)).clients(clients).layers(3)
}

/// What the storms cost.
#[derive(Debug)]
pub struct Report(Vec<Cost>);

/// What one storm cost.
#[derive(Debug)]
struct Cost {
    scenario: &'static str,
    clients: u32,
    sends: u64,
    time: Duration,
    megabytes: Option<f64>,
}

/// Simulates all of them.
///
/// # Errors
///
/// [`StormError`], if a storm is refused.
pub fn run() -> Result<Report, StormError> {
    let mut costs = Vec::new();
    for scenario in SCENARIOS {
        let mut sizes = SIZES.map(|clients| Cost::of(scenario, clients));
        for round in 1..=ROUNDS {
            for cost in &mut sizes {
                eprintln!("{}, {} clients, {round} of {ROUNDS}", scenario.0, cost.clients);
                cost.measure(scenario)?;
            }
        }
        costs.extend(sizes);
    }
    Ok(Report(costs))
}

impl Cost {
    const fn of((scenario, _): Scenario, clients: u32) -> Self {
        Self { scenario, clients, sends: 0, time: Duration::MAX, megabytes: None }
    }

    fn measure(&mut self, (_, storm): Scenario) -> Result<(), StormError> {
        let (storm, budget) = storm(self.clients);
        memory::forget();
        let mut worked = Duration::ZERO;
        while worked < ENOUGH {
            let begins = cpu::of_this_thread();
            self.sends = storm.run(|| Downstream::new("leaf").budget(budget))?.sends;
            let took = cpu::of_this_thread().saturating_sub(begins);
            self.time = self.time.min(took);
            worked += took;
        }
        let megabytes = [self.megabytes, memory::most()];
        self.megabytes = megabytes.into_iter().flatten().reduce(f64::max);
        Ok(())
    }

    /// Nanoseconds for each client and each doubling of their number.
    fn of_n_log_n(&self) -> f64 {
        let clients = f64::from(self.clients);
        self.time.as_secs_f64() * 1e9 / (clients * clients.log2())
    }

    fn row(&self, smallest: &Self) -> Vec<String> {
        vec![
            self.scenario.to_owned(),
            self.clients.to_string(),
            self.sends.to_string(),
            format!("{:.2}", self.time.as_secs_f64() * 1e3),
            format!("{:.1}", self.of_n_log_n()),
            format!("{:.2}", self.of_n_log_n() / smallest.of_n_log_n()),
            self.megabytes.map_or_else(|| "-".to_owned(), |megabytes| format!("{megabytes:.0}")),
        ]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["storm", "clients", "sends", "ms", "ns / (n log2 n)", "to the smallest", "MB"];
        let mut table = Table::new(head);
        for costs in self.0.chunks(SIZES.len()) {
            for cost in costs {
                table.push(cost.row(&costs[0]));
            }
        }
        writeln!(
            f,
            "One thread. ms: what a processor worked for it, in the fastest of the runs. `to the \
             smallest`: what a client costs\nbeside one of the smallest storm, once n log n is taken \
             into account; up to 1, the cost grows no faster than that.\nMB: the most memory of the \
             whole process meanwhile.\n\n{}\n",
            machine::described()
        )?;
        write!(f, "{table}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_storm_is_what_it_says() {
        let sends = |(_, storm): Scenario| {
            let (storm, budget) = storm(1_000);
            storm.run(|| Downstream::new("leaf").budget(budget)).map(|report| report.sends)
        };
        let [budget, lockstep, queued, owned, every] = SCENARIOS.map(sends);
        assert_eq!((budget, lockstep), (Ok(1_200), Ok(3_000)));
        assert!(queued.is_ok_and(|sends| sends > 1_000 && sends < 1_300));
        assert_eq!((owned, every), (Ok(3_000), Ok(27_000)));
    }

    #[test]
    fn a_cost_that_grows_by_n_log_n_is_as_large_as_the_smallest() {
        let cost = |clients, micros| Cost {
            time: Duration::from_micros(micros),
            ..Cost::of(SCENARIOS[0], clients)
        };
        let (small, large) = (cost(1_000, 10), cost(1_000_000, 20_000));
        assert!((large.of_n_log_n() / small.of_n_log_n() - 1.0).abs() < 1e-9);
    }
}
