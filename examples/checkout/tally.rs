//! The figures of one side: what the client believes, held against the rows of the database.

use crate::api::Receipt;
use crate::load::Load;
use crate::placed::Placed;
use hyper::Method;
use std::collections::HashMap;
use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) orders: usize,
    pub(crate) attempts: usize,
    pub(crate) confirmed: usize,
    /// Of those, how many only a lookup confirmed.
    pub(crate) found: usize,
    pub(crate) not_charged: usize,
    pub(crate) unknown: usize,
    /// Of those, how many were charged.
    pub(crate) unknown_but_charged: usize,
    pub(crate) rows: usize,
    /// Orders with more than one row.
    pub(crate) charged_twice: usize,
    /// What those customers paid too much.
    pub(crate) cents_too_much: u64,
    /// Orders with a receipt for which there is no row.
    pub(crate) missing: usize,
    /// Orders that are charged although the client was sure that they are not.
    pub(crate) wrongly_not_charged: usize,
    pub(crate) took: Duration,
}

impl Tally {
    pub(crate) fn of(load: &Load) -> Self {
        let mut rows: HashMap<u32, Vec<_>> = HashMap::new();
        for charge in &load.charges {
            rows.entry(charge.order).or_default().push(charge);
        }
        let mut tally = Self {
            orders: load.placed.len(),
            attempts: load.client.journal.count(&Method::POST),
            rows: load.charges.len(),
            took: load.took,
            ..Self::default()
        };
        for charges in rows.values().filter(|charges| charges.len() > 1) {
            tally.charged_twice += 1;
            let extra = charges.iter().skip(1);
            tally.cents_too_much += extra.map(|charge| u64::from(charge.cents)).sum::<u64>();
        }
        for (order, placed) in &load.placed {
            let charges = rows.get(order).map(Vec::as_slice).unwrap_or_default();
            tally.count(placed, charges);
        }
        tally
    }

    /// `charges` are the rows of this order.
    fn count(&mut self, placed: &Placed, charges: &[&Receipt]) {
        let is_charged = usize::from(!charges.is_empty());
        if let Some(receipt) = placed.receipt() {
            self.confirmed += 1;
            self.missing += usize::from(!charges.contains(&receipt));
        }
        match placed {
            Placed::Confirmed(_) => {}
            Placed::Found { .. } => self.found += 1,
            Placed::NotCharged(_) => {
                self.not_charged += 1;
                self.wrongly_not_charged += is_charged;
            }
            Placed::Unknown { .. } | Placed::Failed => {
                self.unknown += 1;
                self.unknown_but_charged += is_charged;
            }
        }
    }

    /// Nobody paid twice, and whatever the caller was told is true.
    pub(crate) fn keeps_its_promises(&self) -> bool {
        self.charged_twice == 0 && self.missing == 0 && self.wrongly_not_charged == 0
    }
}
