//! The four knobs: what each costs when it is tight, and what when it is loose.

use crate::chart::{Chart, Line, Scene};
use crate::table::Table;
use crate::watch::{Parts, Watch};
use retry_runtime::storm::{
    Arrivals, Fault, NO_BUDGET, Report, Server, ServiceTime, Storm, StormError,
};
use retry_runtime::{Budget, Downstream, Jitter, Policy};
use std::time::Duration;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A setting that people turn.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// As the command line has it.
    pub name: &'static str,
    title: &'static str,
    x: &'static str,
    positions: &'static [f64],
    costs: &'static [Cost],
}

/// What a position costs.
#[derive(Clone, Copy, Debug)]
struct Cost {
    title: &'static str,
    y: &'static str,
    lines: &'static [Simulated],
}

/// A line: its name, the storm at a position with its budget, and what is read off it, if it is there.
#[derive(Clone, Copy, Debug)]
struct Simulated {
    name: &'static str,
    storm: fn(f64) -> (Storm, Budget),
    figure: fn(&Report) -> Option<f64>,
}

/// All four.
pub const KNOBS: [Knob; 4] = [ATTEMPT_TIMEOUT, ATTEMPTS, BACKOFF, BUDGET];

const ATTEMPT_TIMEOUT: Knob = Knob {
    name: "attempt-timeout",
    title: "The attempt timeout, as a multiple of the 99th percentile",
    x: "timeout / p99",
    positions: &[0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0],
    costs: &[
        Cost {
            title: "Tight: healthy answers are cut and asked for again",
            y: "requests per call",
            lines: &[Simulated {
                name: "3 attempts",
                storm: |multiple| (steady(cut_at(multiple), HEALTHY), NO_BUDGET),
                figure: |report| Some(report.amplification()),
            }],
        },
        Cost {
            title: "Loose: calls are held while nothing answers",
            y: "in flight, 1000 calls/s",
            lines: &[Simulated {
                name: "3 attempts",
                storm: |multiple| {
                    let silent = HEALTHY.fault(Fault::always(1.0).silent());
                    (steady(cut_at(multiple), silent), NO_BUDGET)
                },
                figure: |report| Some(report.time_in_calls.as_secs_f64() / STEADY.as_secs_f64()),
            }],
        },
    ],
};

const ATTEMPTS: Knob = Knob {
    name: "attempts",
    title: "The number of attempts",
    x: "attempts",
    positions: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    costs: &[
        Cost {
            title: "Tight: blips reach the user, here 1 request in 10",
            y: "failed calls, %",
            lines: &[Simulated {
                name: "one owner",
                storm: |attempts| (steady(times(attempts), flaky(0.1)), NO_BUDGET),
                figure: |report| Some(failed(report)),
            }],
        },
        Cost {
            title: "Loose: layers multiply when all is down",
            y: "requests per call",
            lines: &[
                Simulated {
                    name: "3 layers, every one retries",
                    storm: |attempts| {
                        (down(times(attempts), 20).layers(3).every_layer_retries(), NO_BUDGET)
                    },
                    figure: |report| Some(report.amplification()),
                },
                Simulated {
                    name: "3 layers, one owner",
                    storm: |attempts| (down(times(attempts), 20).layers(3), NO_BUDGET),
                    figure: |report| Some(report.amplification()),
                },
            ],
        },
    ],
};

const BACKOFF: Knob = Knob {
    name: "backoff",
    title: "The first wait, and its jitter, with 500 calls in a fault of 300 ms",
    x: "base, ms",
    positions: &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0],
    costs: &[
        Cost {
            title: "Tight: all attempts are spent before the fault is over",
            y: "failed calls, %",
            lines: &[
                Simulated {
                    name: "full jitter",
                    storm: |base| (blip(wait(base)), NO_BUDGET),
                    figure: |report| Some(failed(report)),
                },
                Simulated {
                    name: "no jitter",
                    storm: |base| (blip(wait(base).jitter(Jitter::None)), NO_BUDGET),
                    figure: |report| Some(failed(report)),
                },
            ],
        },
        Cost {
            title: "No jitter: everybody comes back in the same moment",
            y: "most retries in 10 ms",
            lines: &[
                Simulated {
                    name: "full jitter",
                    storm: |base| (blip(wait(base)), NO_BUDGET),
                    figure: |report| Some(real(report.peak_retries)),
                },
                Simulated {
                    name: "no jitter",
                    storm: |base| (blip(wait(base).jitter(Jitter::None)), NO_BUDGET),
                    figure: |report| Some(real(report.peak_retries)),
                },
            ],
        },
        Cost {
            title: "Loose: whoever succeeds has waited far longer than the fault",
            y: "p99 of successes, ms",
            lines: &[Simulated {
                name: "full jitter",
                storm: |base| (blip(wait(base)), NO_BUDGET),
                figure: |report| report.p99.map(|p99| p99.as_secs_f64() * 1e3),
            }],
        },
    ],
};

const BUDGET: Knob = Knob {
    name: "budget",
    title: "The retry budget, as a fraction of the calls",
    x: "ratio",
    positions: &[0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0],
    costs: &[
        Cost {
            title: "Tight: retries that would have helped are stopped",
            y: "failed calls, %",
            lines: &[
                Simulated {
                    name: "1 request in 20 fails",
                    storm: |ratio| (steady(FOUR, flaky(0.05)), Budget::ratio(ratio)),
                    figure: |report| Some(failed(report)),
                },
                Simulated {
                    name: "1 request in 5 fails",
                    storm: |ratio| (steady(FOUR, flaky(0.2)), Budget::ratio(ratio)),
                    figure: |report| Some(failed(report)),
                },
            ],
        },
        Cost {
            title: "Loose: fuel on the fire when all is down",
            y: "requests per call",
            lines: &[
                Simulated {
                    name: "4 attempts, this budget",
                    storm: |ratio| (down(FOUR, 1_000), Budget::ratio(ratio)),
                    figure: |report| Some(report.amplification()),
                },
                Simulated {
                    name: "4 attempts, no budget",
                    storm: |_| (down(FOUR, 1_000), NO_BUDGET),
                    figure: |report| Some(report.amplification()),
                },
            ],
        },
    ],
};

/// 8 ms on average, and so 37 ms at the 99th percentile.
const MEAN: Duration = millis(8);
const HEALTHY: Server = Server::new(ServiceTime::exponential(MEAN));

const THREE: Policy = Policy::exponential(millis(50), Duration::from_secs(1))
    .max_attempts(3)
    .deadline(Duration::from_secs(600));
const FOUR: Policy = THREE.max_attempts(4);

fn cut_at(multiple: f64) -> Policy {
    let p99 = MEAN.mul_f64(100_f64.ln());
    THREE.attempt_timeout(p99.mul_f64(multiple))
}

fn times(attempts: f64) -> Policy {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 6")]
    THREE.max_attempts(attempts as u32)
}

fn wait(base: f64) -> Policy {
    let base = Duration::from_secs_f64(base / 1e3);
    Policy::exponential(base, base * 8).max_attempts(4).deadline(Duration::from_secs(600))
}

const fn flaky(share: f64) -> Server {
    HEALTHY.fault(Fault::always(share))
}

const STEADY: Duration = Duration::from_secs(10);

/// A thousand calls a second.
fn steady(policy: Policy, server: Server) -> Storm {
    Storm::new(policy, server).arrivals(Arrivals::poisson(1_000.0, STEADY))
}

/// So many calls at once, and nothing works.
fn down(policy: Policy, calls: u32) -> Storm {
    Storm::new(policy, HEALTHY.fault(Fault::always(1.0))).clients(calls)
}

/// 500 calls at the moment in which a fault of 300 ms begins.
fn blip(policy: Policy) -> Storm {
    Storm::new(policy, HEALTHY.fault(Fault::between(Duration::ZERO, millis(300)))).clients(500)
}

/// In percent.
fn failed(report: &Report) -> f64 {
    100.0 * (1.0 - report.success_rate())
}

fn real(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
    let count = count as f64;
    count
}

impl Knob {
    /// Turns the knob from one end to the other.
    ///
    /// # Errors
    ///
    /// [`StormError::BrokenOff`] when `watch` breaks it off.
    pub fn scene(&self, mut watch: impl Watch) -> Result<Scene, StormError> {
        let lines = self.costs.iter().map(|cost| cost.lines.len()).sum::<usize>();
        let mut parts = Parts::new(lines * self.positions.len(), &mut watch);
        let charts: Result<Vec<_>, _> =
            self.costs.iter().map(|cost| self.chart(cost, &mut parts)).collect();
        let charts = charts?;
        Ok(Scene { title: self.title.to_owned(), table: self.table(&charts), charts })
    }

    fn chart(&self, cost: &Cost, parts: &mut Parts<'_, impl Watch>) -> Result<Chart, StormError> {
        let mut lines = Vec::new();
        for Simulated { name, storm, figure } in cost.lines {
            let mut points = Vec::new();
            for &position in self.positions {
                let (storm, budget) = storm(position);
                let report = parts.run(&storm, || Downstream::new("leaf").budget(budget))?;
                points.extend(figure(&report).map(|y| (position, y)));
            }
            lines.push(Line { name: (*name).to_owned(), points });
        }
        Ok(Chart {
            title: cost.title.to_owned(),
            x: self.x.to_owned(),
            y: cost.y.to_owned(),
            steps: self.positions.to_vec(),
            lines,
        })
    }

    /// A row for each position, and a column for each line.
    fn table(&self, charts: &[Chart]) -> Table {
        let lines = || charts.iter().flat_map(|chart| chart.lines.iter().map(move |l| (chart, l)));
        let head = lines().map(|(chart, line)| format!("{}: {}", chart.y, line.name));
        let mut table = Table::new(std::iter::once(self.x.to_owned()).chain(head));
        for position in self.positions {
            let cells = lines().map(|(_, line)| {
                let point = line.points.iter().find(|(x, _)| x.total_cmp(position).is_eq());
                point.map_or_else(|| "-".to_owned(), |(_, y)| format!("{y:.3}"))
            });
            table.push(std::iter::once(position.to_string()).chain(cells));
        }
        table
    }
}
