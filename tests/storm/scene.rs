//! Policies and servers that the storms share, and a table.

use retry_runtime::storm::{Fault, Report, Server, ServiceTime};
use retry_runtime::{Budget, Downstream, Jitter, Policy};
use std::time::Duration;

pub const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Three attempts, and waits of up to 100 and 200 ms.
pub const THREE: Policy =
    Policy::exponential(millis(100), secs(1)).max_attempts(3).deadline(secs(10));

pub const LOCKSTEP: Policy = THREE.jitter(Jitter::None);

/// A fifth of the calls, and no reserve at all.
pub const FIFTH: Budget = Budget::ratio(0.2);

/// Answers in 8 ms, as many requests at once as there are.
pub const HEALTHY: Server = Server::new(ServiceTime::constant(millis(8)));

/// Down for this long from the beginning.
pub const fn down_for(outage: Duration) -> Server {
    HEALTHY.fault(Fault::between(Duration::ZERO, outage))
}

pub fn with(budget: Budget) -> impl Fn() -> Downstream {
    move || Downstream::new("leaf").budget(budget)
}

pub fn head() -> String {
    format!(
        "{:<46} {:>8} {:>8} {:>6} {:>8} {:>6} {:>6} {:>8} {:>8}\n",
        "", "calls", "sends", "ampl.", "success", "peak", "tail", "p50 ms", "p99 ms"
    )
}

pub fn row(name: &str, report: &Report) -> String {
    let time = |time: Option<Duration>| {
        time.map_or("-".to_owned(), |time| format!("{:.1}", time.as_secs_f64() * 1e3))
    };
    format!(
        "{name:<46} {:>8} {:>8} {:>6.3} {:>8.4} {:>6} {:>6} {:>8} {:>8}\n",
        report.calls,
        report.sends,
        report.amplification(),
        report.success_rate(),
        report.peak_retries,
        report.recovery_tail,
        time(report.p50),
        time(report.p99),
    )
}
