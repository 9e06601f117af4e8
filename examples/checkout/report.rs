//! The figures of both sides, beside each other.

use crate::options::Options;
use crate::tally::Tally;
use std::fmt::{self, Display, Formatter};

/// A line of the table.
type Figure = (&'static str, fn(&Tally) -> usize);

const FIGURES: [Figure; 10] = [
    ("orders", |tally| tally.orders),
    ("attempts to charge", |tally| tally.attempts),
    ("confirmed", |tally| tally.confirmed),
    ("  of these by a lookup", |tally| tally.found),
    ("surely not charged", |tally| tally.not_charged),
    ("outcome unknown", |tally| tally.unknown),
    ("  of these charged all the same", |tally| tally.unknown_but_charged),
    ("rows charged", |tally| tally.rows),
    ("orders charged twice or more", |tally| tally.charged_twice),
    ("confirmed but missing", |tally| tally.missing),
];

/// What is about to happen.
pub(crate) struct Opening<'o>(pub(crate) &'o Options);

/// What the client believes and what the database says.
pub(crate) struct Table<'t> {
    pub(crate) annotated: &'t Tally,
    pub(crate) by_hand: &'t Tally,
}

/// What it means.
pub(crate) struct Verdict<'t> {
    pub(crate) annotated: &'t Tally,
    pub(crate) by_hand: &'t Tally,
}

impl Display for Opening<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Options { orders, seed, fault_rate } = self.0;
        writeln!(f, "Orders: {orders}. Seed: {seed}. Share of requests that fail: {fault_rate}.")?;
        writeln!(f, "A charge that fails is written and its answer lost or late, or it is cut")?;
        writeln!(f, "off before the server, or refused by it.")
    }
}

impl Display for Table<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let row = |f: &mut Formatter<'_>, name: &str, annotated: &str, by_hand: &str| {
            writeln!(f, "  {name:<32} {annotated:>20} {by_hand:>18}")
        };
        row(f, "", "#[retry] with a key", "by hand, no key")?;
        for (name, figure) in FIGURES {
            let [annotated, by_hand] = [self.annotated, self.by_hand].map(figure);
            row(f, name, &annotated.to_string(), &by_hand.to_string())?;
        }
        let [annotated, by_hand] =
            [self.annotated, self.by_hand].map(|tally| format!("{:.1}", tally.took.as_secs_f64()));
        row(f, "seconds", &annotated, &by_hand)
    }
}

impl Display for Verdict<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { annotated, by_hand } = self;
        if by_hand.charged_twice > 0 {
            let (customers, cents) = (by_hand.charged_twice, by_hand.cents_too_much);
            let (whole, rest) = (cents / 100, cents % 100);
            writeln!(f, "By hand, {customers} customers paid {whole}.{rest:02} too much in all.")?;
        }
        if annotated.keeps_its_promises() {
            return f.write_str(
                "With #[retry], nobody paid twice, and what the caller was told is true.",
            );
        }
        let Tally { charged_twice, missing, wrongly_not_charged, .. } = annotated;
        writeln!(f, "BROKEN PROMISE of #[retry]: {charged_twice} orders charged twice,")?;
        writeln!(f, "{missing} confirmed but missing,")?;
        write!(f, "{wrongly_not_charged} charged although reported as surely not charged.")
    }
}
