//! What the clients were told, held against the table.

use crate::client::ATTEMPT;
use crate::fault::{Fault, Kind};
use crate::load::{Load, Written};
use retry_runtime::{Outcome, Stopped};
use retry_writes_tests::api::Receipt;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Default)]
pub struct Tally {
    pub writes: usize,
    pub requests: usize,
    pub faults: usize,
    pub confirmed: usize,
    pub not_applied: usize,
    pub unknown: usize,
    /// Of those, how many are in the table.
    pub unknown_but_applied: usize,
    pub twice: usize,
    pub confirmed_but_missing: usize,
    pub not_applied_but_there: usize,
    /// No attempt was sent, the client could know it, and still the outcome is called unknown.
    pub unknown_without_need: usize,
    /// Requests that came to the bank's side more often than they were made.
    pub resent: usize,
    pub reasons: BTreeMap<&'static str, usize>,
    pub kills: u32,
    pub seconds: f64,
}

impl Tally {
    pub fn of(load: &Load) -> Self {
        let mut tally = Self {
            writes: load.written.len(),
            twice: load.table.values().filter(|rows| rows.len() > 1).count(),
            resent: load.seen.values().filter(|times| **times > 1).count(),
            kills: load.plan.kills,
            seconds: load.took.as_secs_f64(),
            ..Self::default()
        };
        for written in &load.written {
            tally.count_requests(load, written);
            let rows = load.table.get(&written.order.id).map_or(&[][..], Vec::as_slice);
            match &written.result {
                Ok(receipt) => {
                    tally.confirmed += 1;
                    tally.confirmed_but_missing += usize::from(!rows.contains(receipt));
                }
                Err(stopped) => tally.count_error(load, written, stopped, rows),
            }
        }
        tally
    }

    fn count_requests(&mut self, load: &Load, written: &Written) {
        for kind in crate::fault::KINDS {
            for id in written.order.requests(kind) {
                self.requests += 1;
                self.faults += usize::from(load.plan.faults.of(id).is_some());
            }
        }
    }

    fn count_error(&mut self, load: &Load, written: &Written, stopped: &Stopped, rows: &[Receipt]) {
        let is_there = usize::from(!rows.is_empty());
        *self.reasons.entry(stopped.reason().name()).or_default() += 1;
        match stopped.outcome() {
            Outcome::NotApplied => {
                self.not_applied += 1;
                self.not_applied_but_there += is_there;
            }
            Outcome::Unknown => {
                self.unknown += 1;
                self.unknown_but_applied += is_there;
                self.unknown_without_need += usize::from(surely_not_sent(load, written));
            }
        }
    }

    /// Whatever the faults: nobody is charged twice, and what a client was told is true.
    #[track_caller]
    pub fn assert_true(&self) {
        println!("{self}");
        assert_eq!(self.twice, 0, "orders charged twice");
        assert_eq!(self.confirmed_but_missing, 0, "confirmed, and not in the table");
        assert_eq!(self.not_applied_but_there, 0, "not applied, and in the table");
        assert_eq!(self.unknown_without_need, 0, "no request was sent, and that is known");
        assert_eq!(self.resent, 0, "requests that were sent twice");
        self.assert_told_of_all();
    }

    /// The run met what it is about: otherwise the figures above would say nothing.
    #[track_caller]
    fn assert_told_of_all(&self) {
        assert_eq!(self.confirmed + self.not_applied + self.unknown, self.writes);
        assert!(self.confirmed > self.writes / 10, "few writes came through");
        assert!(self.not_applied > 0 && self.unknown > 0, "no error of one of the kinds");
        assert!(
            0 < self.unknown_but_applied && self.unknown_but_applied < self.unknown,
            "unknown means there or not"
        );
    }
}

/// Whether the client could know that no charge of an order was sent.
fn surely_not_sent(load: &Load, written: &Written) -> bool {
    // On a busy machine even a refusal can come too late.
    let in_time = written.result.as_ref().is_err_and(|stopped| stopped.elapsed() < ATTEMPT);
    in_time
        && written.order.requests(Kind::Charge).all(|id| match load.plan.faults.of(id) {
            Some(Fault::Refused) => true,
            // The connection may have broken before, when the bank was killed.
            Some(Fault::Busy) => load.seen.contains_key(&id),
            _ => false,
        })
}

/// What the charges of an order met.
pub fn charges_met(load: &Load, written: &Written) -> impl Iterator<Item = Option<Fault>> {
    written.order.requests(Kind::Charge).map(|id| load.plan.faults.of(id))
}

impl fmt::Display for Tally {
    #[expect(clippy::cast_precision_loss, reason = "a share of a count")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.faults as f64 / self.requests as f64;
        writeln!(f, "{:>8} writes in {:.1} s", self.writes, self.seconds)?;
        writeln!(f, "{:>8} requests, {rate:.3} of them with a fault", self.requests)?;
        writeln!(f, "{:>8} times the bank was killed", self.kills)?;
        writeln!(f, "{:>8} confirmed", self.confirmed)?;
        writeln!(f, "{:>8} not applied", self.not_applied)?;
        writeln!(f, "{:>8} unknown", self.unknown)?;
        writeln!(f, "{:>8}   of these in the table", self.unknown_but_applied)?;
        writeln!(f, "{:>8} charged twice", self.twice)?;
        writeln!(f, "{:>8} confirmed but missing", self.confirmed_but_missing)?;
        writeln!(f, "{:>8} not applied but in the table", self.not_applied_but_there)?;
        let reasons: Vec<_> =
            self.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        write!(f, "         reasons of the errors: {}", reasons.join(", "))
    }
}
