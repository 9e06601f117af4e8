//! What is drawn of a group of requests: each call of the leaf, and the load that they make together.

use crate::anatomy::{Anatomy, Side};
use std::time::Duration;

/// Calls as points on an axis of time, and as bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// One point for each call of the leaf.
    pub calls: Calls,
    /// The same calls counted, and others to compare them with: all with bars of the same width.
    pub loads: Vec<Load>,
    /// When the fault is over.
    pub fault_ends: Option<Duration>,
    /// When the last call of all begins, or the fault ends.
    pub span: Duration,
}

/// Calls of the leaf, by request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// In order of time.
    pub points: Vec<Point>,
    /// How many requests there are.
    pub requests: usize,
}

/// One call of the leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// When it was sent.
    pub at: Duration,
    /// For which request, from 0.
    pub request: usize,
    /// Whether it is not the first of its request.
    pub is_retry: bool,
}

/// How many calls were sent when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// Whose.
    pub name: String,
    /// How long a bar's time is.
    pub width: Duration,
    /// Those with anything in them, in order.
    pub bars: Vec<Bar>,
}

/// The calls of a short time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// When it begins.
    pub from: Duration,
    /// First calls of a request.
    pub first: u64,
    /// All others.
    pub retries: u64,
}

/// A bar is at least this wide, and an axis has at most so many of them.
const NARROWEST: Duration = Duration::from_millis(10);
const MOST_BARS: u128 = 60;

impl Picture {
    /// The calls of the chosen side; its load, and the load in lockstep.
    #[must_use]
    pub fn of(anatomy: &Anatomy) -> Self {
        let Anatomy { chosen, lockstep } = anatomy;
        let calls = Calls::of(chosen);
        let others = Calls::of(lockstep);
        let fault_ends = Some(chosen.record.window);
        let loads = [("this record", &calls), ("lockstep, no budget", &others)];
        let (loads, span) = Load::beside(&loads, fault_ends);
        Self { calls, loads, fault_ends, span }
    }
}

impl Calls {
    /// For each request, when it called the leaf.
    #[must_use]
    pub fn by_request(&self) -> Vec<Vec<Duration>> {
        let mut requests = vec![Vec::new(); self.requests];
        for point in &self.points {
            if let Some(request) = requests.get_mut(point.request) {
                request.push(point.at);
            }
        }
        requests
    }

    /// Those of the group.
    #[must_use]
    pub fn of(side: &Side) -> Self {
        let sent = side.group.sent.iter();
        let points = sent.map(|sent| Point {
            at: sent.at,
            request: sent.client as usize,
            is_retry: sent.number > 1,
        });
        Self { points: points.collect(), requests: side.record.group as usize }
    }
}

impl Load {
    /// Bars of the same width for all, and the time that they span.
    pub(crate) fn beside(
        calls: &[(&str, &Calls)],
        fault_ends: Option<Duration>,
    ) -> (Vec<Self>, Duration) {
        let last = calls.iter().filter_map(|(_, calls)| calls.points.last()).map(|last| last.at);
        let span = last.chain(fault_ends).max().unwrap_or_default();
        let width = bar_width(span);
        let load = |(name, calls): &(&str, &Calls)| Self::of(name, calls, width);
        (calls.iter().map(load).collect(), span)
    }

    fn of(name: &str, calls: &Calls, width: Duration) -> Self {
        let mut bars: Vec<Bar> = Vec::new();
        for point in &calls.points {
            let from = from_nanos(point.at.as_nanos() / width.as_nanos() * width.as_nanos());
            if bars.last().is_none_or(|last| last.from != from) {
                bars.push(Bar { from, first: 0, retries: 0 });
            }
            if let Some(last) = bars.last_mut() {
                last.first += u64::from(!point.is_retry);
                last.retries += u64::from(point.is_retry);
            }
        }
        Self { name: name.to_owned(), width, bars }
    }

    /// The most retries within 10 ms.
    pub(crate) fn peak_retries(calls: &Calls) -> u64 {
        let bars = Self::of("", calls, NARROWEST).bars;
        bars.iter().map(|bar| bar.retries).max().unwrap_or(0)
    }

    /// The calls of the fullest bar.
    #[must_use]
    pub fn highest(&self) -> u64 {
        self.bars.iter().map(|bar| bar.first + bar.retries).max().unwrap_or(0)
    }
}

/// One, two or five of a unit, so that an axis can be read.
fn bar_width(span: Duration) -> Duration {
    let least = span.as_nanos() / MOST_BARS;
    let mut decade = NARROWEST.as_nanos();
    loop {
        for times in [1, 2, 5] {
            if decade * times >= least {
                return from_nanos(decade * times);
            }
        }
        decade *= 10;
    }
}

fn from_nanos(nanos: u128) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn bars_are_as_wide_as_a_person_would_make_them() {
        let width = |span| bar_width(millis(span)).as_millis();
        assert_eq!([0, 500, 600, 601, 1_500, 40_000].map(width), [10, 10, 10, 20, 50, 1_000]);
    }

    #[test]
    fn every_call_is_in_the_bar_of_its_time() {
        let point = |at, is_retry| Point { at: millis(at), request: 0, is_retry };
        let points = vec![point(0, false), point(9, true), point(10, true), point(39, true)];
        let calls = Calls { points, requests: 1 };
        let (loads, span) = Load::beside(&[("one", &calls)], Some(millis(30)));
        let bar = |from, first, retries| Bar { from: millis(from), first, retries };
        assert_eq!(loads[0].bars, [bar(0, 1, 1), bar(10, 0, 1), bar(30, 0, 1)]);
        assert_eq!((span, loads[0].highest()), (millis(39), 2));
    }
}
