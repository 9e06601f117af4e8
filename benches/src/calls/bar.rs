//! What this project allows itself.

use super::figures::Figures;
use super::names::{ASSEMBLED, COMPLETE, EXECUTION_POLICY, PLAIN, SEATBELT, SLEEP, TIMEOUT};
use super::situation::Situation;
use std::fmt;

/// One figure of a contender, that may not be beyond a bar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    pub(super) situation: Situation,
    pub(super) what: What,
    /// What it is to be in the end.
    pub(super) aim: f64,
    /// What it may be today: more is a step back, and fails.
    pub(super) most: f64,
}

/// A figure of [`COMPLETE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Instructions, as a multiple of those of another.
    InstructionsOf(&'static str),
    /// Bytes of the future around a kibibyte that the plain one does not have.
    BytesMore,
    Allocations,
}

pub(super) const BARS: &[Bar] = {
    use Situation::{FailsTwice, Ready, YieldsOnce};
    use What::{Allocations, BytesMore, InstructionsOf};
    &[
        bar(Ready, InstructionsOf(TIMEOUT), 1.0),
        bar(Ready, InstructionsOf(EXECUTION_POLICY), 0.3),
        bar(Ready, InstructionsOf(SEATBELT), 0.3),
        bar(Ready, InstructionsOf(ASSEMBLED), 0.3),
        bar(Ready, Allocations, 0.0),
        bar(Ready, BytesMore, 256.0),
        bar(YieldsOnce, InstructionsOf(TIMEOUT), 1.25),
        bar(YieldsOnce, Allocations, 0.0),
        bar(FailsTwice, InstructionsOf(SLEEP), 1.1).not_yet(1.35),
        bar(FailsTwice, Allocations, 0.0),
    ]
};

const fn bar(situation: Situation, what: What, aim: f64) -> Bar {
    Bar { situation, what, aim, most: aim }
}

/// Whether a bar needs the instructions of this contender.
pub(super) fn names(situation: Situation, contender: &str) -> bool {
    let mut bars = BARS.iter().filter(|bar| bar.situation == situation);
    bars.any(|bar| match bar.what {
        What::InstructionsOf(other) => contender == other || contender == COMPLETE,
        What::BytesMore | What::Allocations => false,
    })
}

impl Bar {
    /// The aim is not reached yet.
    const fn not_yet(self, most: f64) -> Self {
        Self { most, ..self }
    }

    /// The figure, if these contenders have what it takes.
    pub(super) fn measured(&self, figures: &[Figures]) -> Option<f64> {
        let named = |name| figures.iter().find(|figures| figures.name == name);
        let ours = named(COMPLETE)?;
        match self.what {
            What::InstructionsOf(other) => Some(ours.instructions? / named(other)?.instructions?),
            What::BytesMore => Some(ours.bytes_more(named(PLAIN)?)),
            What::Allocations => Some(ours.allocations),
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let situation = self.situation.word();
        match self.what {
            What::InstructionsOf(other) => {
                write!(f, "{situation}: instructions, times those of `{other}`")
            }
            What::BytesMore => write!(f, "future around 1 KiB: bytes more than the plain one"),
            What::Allocations => write!(f, "{situation}: allocations"),
        }
    }
}
