//! Counts what happens while it happens.

use super::Storm;
use super::report::{Bin, Report, Sent};
use super::simulated::{Moment, NEVER};
use crate::backoff::nanos;
use crate::error::{Reason, Stopped};
use std::time::Duration;

/// The width in which the peak of the retries is counted, whatever the bins are.
const PEAK_WIDTH: Duration = Duration::from_millis(10);

/// A report that is being written.
#[derive(Debug)]
pub(super) struct Tally {
    report: Report,
    /// The width of a bin.
    width: Moment,
    keep_sends: bool,
    fault_ends: Moment,
    in_flight: u64,
    /// The number of the 10 ms in which the last retry was sent, and how many were.
    peak: (u64, u64),
    /// How long each call took that succeeded, in nanoseconds: eight bytes a call, and exact.
    latencies: Vec<u64>,
}

impl Tally {
    pub(super) fn new(storm: &Storm, fault_ends: Option<Moment>) -> Self {
        let attempts = vec![0; storm.layers as usize];
        Self {
            report: Report { attempts, ..Report::default() },
            width: nanos(storm.bins),
            keep_sends: storm.keep_sends,
            fault_ends: fault_ends.unwrap_or(NEVER),
            in_flight: 0,
            peak: (0, 0),
            latencies: Vec::new(),
        }
    }

    /// A call begins. Gives its number.
    pub(super) fn begin(&mut self, now: Moment) -> u64 {
        let call = self.report.calls;
        self.report.calls += 1;
        self.bin(now).calls += 1;
        self.in_flight += 1;
        self.report.most_in_flight = self.report.most_in_flight.max(self.in_flight);
        call
    }

    /// An attempt begins in the layer at this depth.
    pub(super) fn attempt(&mut self, depth: usize) {
        if let Some(attempts) = self.report.attempts.get_mut(depth) {
            *attempts += 1;
        }
    }

    /// A request is sent, the how many'th of its call.
    pub(super) fn send(&mut self, now: Moment, client: u32, call: u64, number: u32) {
        let retries = u64::from(number > 1);
        let bin = self.bin(now);
        bin.sends += 1;
        bin.retries += retries;
        self.report.sends += 1;
        if self.keep_sends {
            let at = Duration::from_nanos(now);
            self.report.sent.push(Sent { at, client, call, number });
        }
        if retries > 0 {
            self.retry(now);
        }
    }

    fn retry(&mut self, now: Moment) {
        self.report.retries += 1;
        if now >= self.fault_ends {
            self.report.recovery_tail += 1;
        }
        let place = now / nanos(PEAK_WIDTH);
        if self.peak.0 != place {
            self.peak = (place, 0);
        }
        self.peak.1 += 1;
        self.report.peak_retries = self.report.peak_retries.max(self.peak.1);
    }

    /// A call of some layer went no further.
    pub(super) fn stop(&mut self, stopped: &Stopped) {
        if stopped.reason() == Reason::BudgetExhausted {
            self.report.retries_stopped += 1;
        }
    }

    pub(super) fn succeed(&mut self, began: Moment, now: Moment) {
        self.end(began, now);
        self.bin(now).successes += 1;
        self.report.successes += 1;
        self.latencies.push(now - began);
    }

    pub(super) fn fail(&mut self, reason: Reason, began: Moment, now: Moment) {
        self.end(began, now);
        self.bin(now).failures += 1;
        match self.report.failures.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, count)) => *count += 1,
            None => self.report.failures.push((reason, 1)),
        }
    }

    fn end(&mut self, began: Moment, now: Moment) {
        self.in_flight -= 1;
        self.report.time_in_calls += Duration::from_nanos(now - began);
        self.report.ended = Duration::from_nanos(now);
    }

    /// How many calls have begun.
    pub(super) fn begun(&self) -> u64 {
        self.report.calls
    }

    /// How many calls have ended.
    pub(super) fn ended(&self) -> u64 {
        self.report.calls - self.in_flight
    }

    /// Time only moves forward, so a new bin is always the last.
    fn bin(&mut self, now: Moment) -> &mut Bin {
        let from = Duration::from_nanos(now - now % self.width);
        let bins = &mut self.report.bins;
        if bins.last().is_none_or(|last| last.from != from) {
            bins.push(Bin { from, ..Bin::default() });
        }
        let last = bins.len() - 1;
        &mut bins[last]
    }

    pub(super) fn finish(mut self) -> Report {
        self.report.failures.sort_unstable_by_key(|(reason, _)| reason.name());
        self.report.p50 = percentile(&mut self.latencies, 50);
        self.report.p99 = percentile(&mut self.latencies, 99);
        self.report
    }
}

/// The nearest rank: the smallest value that is not below so many of a hundred.
fn percentile(nanos: &mut [u64], percent: usize) -> Option<Duration> {
    let rank = (nanos.len() * percent).div_ceil(100).checked_sub(1)?;
    let (_, value, _) = nanos.select_nth_unstable(rank);
    Some(Duration::from_nanos(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let mut nanos: Vec<u64> = (1..=200).rev().collect();
        assert_eq!(percentile(&mut nanos, 50), Some(Duration::from_nanos(100)));
        assert_eq!(percentile(&mut nanos, 99), Some(Duration::from_nanos(198)));
        assert_eq!(percentile(&mut [7], 99), Some(Duration::from_nanos(7)));
        assert_eq!(percentile(&mut [], 99), None);
    }
}
