//! A downstream with a capacity and a queue through an outage: who gets it back on its feet.

use crate::chart::{Chart, Line, Scene};
use crate::table::Table;
use crate::watch::{Parts, Watch};
use retry_runtime::storm::{
    Arrivals, Bin, Fault, NO_BUDGET, Report, Server, ServiceTime, Storm, StormError,
};
use retry_runtime::{Breaker, Budget, Downstream, Jitter, Policy};
use std::time::Duration;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Four at once in 8 ms each are 500 a second; 200 may wait, for 400 ms.
const SERVER: Server = Server::new(ServiceTime::exponential(Duration::from_millis(8)))
    .capacity(4)
    .queue(200)
    .fault(Fault::between(OUTAGE_BEGINS, OUTAGE_ENDS));

const OUTAGE_BEGINS: Duration = secs(5);
const OUTAGE_ENDS: Duration = secs(8);

/// Four fifths of what the server can do.
const RATE: f64 = 400.0;
const LASTS: Duration = secs(30);

const FOUR: Policy = Policy::exponential(Duration::from_millis(500), secs(1))
    .max_attempts(4)
    .attempt_timeout(Duration::from_millis(150))
    .deadline(secs(10));

const BREAKER: Breaker = Breaker::consecutive(5)
    .open_for(Duration::from_millis(500))
    .max_open_for(secs(2))
    .recover_over(secs(2));

/// What callers do.
struct Strategy {
    name: &'static str,
    policy: Policy,
    budget: Budget,
    breaker: Option<Breaker>,
}

const STRATEGIES: [Strategy; 5] = [
    strategy("no retries", FOUR.max_attempts(1), NO_BUDGET, None),
    strategy("lockstep, no budget", FOUR.jitter(Jitter::None), NO_BUDGET, None),
    strategy("full jitter, no budget", FOUR, NO_BUDGET, None),
    strategy("full jitter, budget 0.2", FOUR, Budget::ratio(0.2), None),
    strategy("the same and a breaker", FOUR, Budget::ratio(0.2), Some(BREAKER)),
];

const fn strategy(
    name: &'static str,
    policy: Policy,
    budget: Budget,
    breaker: Option<Breaker>,
) -> Strategy {
    Strategy { name, policy, budget, breaker }
}

impl Strategy {
    fn downstream(&self) -> Downstream {
        let downstream = Downstream::new("leaf").budget(self.budget);
        match self.breaker {
            Some(breaker) => downstream.breaker(breaker),
            None => downstream,
        }
    }
}

/// Goodput, error rate and latency with each strategy.
///
/// # Errors
///
/// [`StormError::BrokenOff`] when `watch` breaks it off.
pub fn scene(mut watch: impl Watch) -> Result<Scene, StormError> {
    let mut parts = Parts::new(STRATEGIES.len(), &mut watch);
    let mut table = Table::new(["", "sends per call", "errors", "errors after", "p50", "p99"]);
    let (mut goodput, mut load) = (Vec::new(), Vec::new());
    for strategy in &STRATEGIES {
        let storm = Storm::new(strategy.policy, SERVER)
            .clients(100)
            .arrivals(Arrivals::poisson(RATE, LASTS))
            .bins(secs(1));
        let report = parts.run(&storm, || strategy.downstream())?;
        table.push([
            strategy.name.to_owned(),
            format!("{:.2}", report.amplification()),
            percent(1.0 - report.success_rate()),
            percent(errors_after(&report)),
            time(report.p50),
            time(report.p99),
        ]);
        goodput.push(line(strategy, &report, |bin| bin.successes));
        load.push(line(strategy, &report, |bin| bin.sends));
    }
    let chart = |title: &str, lines| Chart {
        title: title.to_owned(),
        x: "seconds".to_owned(),
        y: "per second".to_owned(),
        steps: Vec::new(),
        lines,
    };
    Ok(Scene {
        title: "Four fifths of a server's capacity, which is down from second 5 to second 8"
            .to_owned(),
        table,
        charts: vec![chart("Calls that succeed", goodput), chart("Requests to the server", load)],
    })
}

/// The share of calls that end in an error when the outage has been over for five seconds.
fn errors_after(report: &Report) -> f64 {
    let after = report.bins.iter().filter(|bin| bin.from >= OUTAGE_ENDS + secs(5));
    let (failures, ends) = after.fold((0, 0), |(failures, ends), bin| {
        (failures + bin.failures, ends + bin.failures + bin.successes)
    });
    ratio(failures, ends)
}

fn line(strategy: &Strategy, report: &Report, count: fn(&Bin) -> u64) -> Line {
    let bins = report.bins.iter().filter(|bin| bin.from < LASTS);
    Line {
        name: strategy.name.to_owned(),
        points: bins.map(|bin| (bin.from.as_secs_f64(), ratio(count(bin), 1))).collect(),
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let (part, whole) = (part as f64, whole.max(1) as f64);
    part / whole
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn time(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{:.0} ms", time.as_secs_f64() * 1e3))
}
