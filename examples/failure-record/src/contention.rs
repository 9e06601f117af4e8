//! Clients that contend for one row: what jitter does for them as they become more.

use crate::chart::{Chart, Line, Scene};
use crate::table::Table;
use crate::watch::{Parts, Watch};
use retry_runtime::storm::{Contention, NO_BUDGET, StormError};
use retry_runtime::{Downstream, Jitter, Policy};
use std::time::Duration;

const CLIENTS: [u32; 6] = [10, 25, 50, 100, 150, 200];

/// Figures are means of so many runs.
const RUNS: u32 = 20;

const NAMES: [&str; 4] = ["no jitter", "full", "equal", "decorrelated"];

/// Waits of 10 ms that double up to 2 s, and decorrelated ones from 5 ms on, as in the article. No
/// limit but these: everybody tries until it has written.
fn policies() -> [Policy; 4] {
    let doubled = Policy::exponential(Duration::from_millis(10), Duration::from_secs(2));
    let from_half = Policy::exponential(Duration::from_millis(5), Duration::from_secs(2));
    [
        doubled.jitter(Jitter::None),
        doubled,
        doubled.jitter(Jitter::Equal),
        from_half.jitter(Jitter::Decorrelated),
    ]
    .map(|policy| policy.max_attempts(10_000).deadline(Duration::from_secs(86_400)))
}

/// Means of several runs.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    writes: f64,
    seconds: f64,
}

/// Writes, and seconds until the last client has written, as the number of clients grows.
///
/// # Errors
///
/// [`StormError::BrokenOff`] when `watch` breaks it off.
pub fn scene(mut watch: impl Watch) -> Result<Scene, StormError> {
    let mut parts = Parts::new(CLIENTS.len() * NAMES.len(), &mut watch);
    let mut table = Table::new(["clients", "writes:"].into_iter().chain(NAMES).chain(["seconds:"]));
    table.head.extend(NAMES.map(str::to_owned));
    let mut means = Vec::new();
    for clients in CLIENTS {
        let mut row = [Mean::default(); NAMES.len()];
        for (mean, policy) in row.iter_mut().zip(policies()) {
            *mean = self::mean(clients, policy)?;
            parts.step()?;
        }
        let mut cells = vec![clients.to_string(), String::new()];
        cells.extend(row.map(|mean| format!("{:.0}", mean.writes)));
        cells.push(String::new());
        cells.extend(row.map(|mean| format!("{:.2}", mean.seconds)));
        table.push(cells);
        means.push((f64::from(clients), row));
    }
    let lines = |figure: fn(&Mean) -> f64| {
        let line = |kind: usize| Line {
            name: NAMES[kind].to_owned(),
            points: means.iter().map(|(clients, row)| (*clients, figure(&row[kind]))).collect(),
        };
        (0..NAMES.len()).map(line).collect()
    };
    let chart = |title: &str, y: &str, lines| Chart {
        title: title.to_owned(),
        x: "clients".to_owned(),
        y: y.to_owned(),
        steps: Vec::new(),
        lines,
    };
    Ok(Scene {
        title: format!(
            "Clients that all write one row, of which one at a time can win; {RUNS} runs"
        ),
        charts: vec![
            chart("Writes until all clients have written", "writes", lines(|mean| mean.writes)),
            chart("Time until the last has written", "seconds", lines(|mean| mean.seconds)),
        ],
        table,
    })
}

fn mean(clients: u32, policy: Policy) -> Result<Mean, StormError> {
    let mut mean = Mean::default();
    for seed in 0..RUNS {
        let contention = Contention::new(policy).clients(clients).seed(seed.into());
        let contended = contention.run(|| Downstream::new("row").budget(NO_BUDGET))?;
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let writes = contended.writes as f64;
        mean.writes += writes / f64::from(RUNS);
        mean.seconds += contended.took.as_secs_f64() / f64::from(RUNS);
    }
    Ok(mean)
}
