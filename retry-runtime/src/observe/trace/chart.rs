//! A trace as rows on a time axis: what the timeline in a terminal and the picture have in common.

use super::Trace;
use super::by_id::ById;
use super::words::{attempt_end, short};
use crate::decide::{Decision, DelaySource};
use crate::observe::{Answer, CallEnd, Event, Facts};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Chart {
    pub(super) length: Duration,
    pub(super) rows: Vec<Row>,
}

/// A call, or one of its attempts or questions. Times count from the beginning of the chart.
#[derive(Debug)]
pub(super) struct Row {
    /// How many calls are around it.
    pub(super) depth: usize,
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) gaps: Vec<Gap>,
    pub(super) from: Duration,
    pub(super) to: Duration,
    pub(super) end: End,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Call,
    Attempt,
    Question,
    Refusal,
}

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Good,
    Bad,
    /// The caller went away, or it runs on.
    Open,
}

/// A time in which the call waited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub(super) from: Duration,
    pub(super) to: Duration,
}

impl Chart {
    pub(super) fn of(trace: &Trace) -> Self {
        let mut building = Building::default();
        let began = trace.events().map(|(_, facts)| facts.at).min();
        for (event, facts) in trace.events() {
            let at =
                began.map_or(Duration::ZERO, |began| facts.at.saturating_duration_since(began));
            building.length = building.length.max(at);
            building.add(&event, &facts, at);
        }
        building.finish()
    }
}

/// A chart that grows event by event.
#[derive(Debug, Default)]
struct Building {
    length: Duration,
    calls: ById<Call>,
    /// The calls that are in no other, in order.
    roots: Vec<u64>,
}

#[derive(Debug)]
struct Call {
    head: Row,
    key: Option<String>,
    items: Vec<Item>,
    gaps: Vec<Gap>,
}

#[derive(Debug)]
enum Item {
    Row(Row),
    Call(u64),
}

impl Building {
    fn add(&mut self, event: &Event<'_>, facts: &Facts<'_>, at: Duration) {
        if let Event::CallStarted { parent, .. } = event {
            self.begin(*parent, facts, at);
        } else if let Some(call) = self.calls.get_mut(facts.call_id) {
            call.add(event, facts, at);
        }
    }

    fn begin(&mut self, parent: Option<u64>, facts: &Facts<'_>, at: Duration) {
        let around = parent.and_then(|parent| self.calls.get_mut(parent));
        let depth = around.as_ref().map_or(0, |around| around.head.depth + 1);
        let outer_key = around.as_ref().and_then(|around| around.key.clone());
        let key = facts.key.map(|key| key.to_string());
        match around {
            Some(around) => around.items.push(Item::Call(facts.call_id)),
            None => self.roots.push(facts.call_id),
        }
        let mut name = format!("{} to {}", facts.call, facts.downstream);
        // That of the call around it is not its own.
        if let Some(key) = key.as_ref().filter(|key| outer_key.as_ref() != Some(*key)) {
            name = format!("{name}, key {key}");
        }
        let head = Row { depth, ..Row::new(Kind::Call, name, at) };
        self.calls.insert(facts.call_id, Call { head, key, items: Vec::new(), gaps: Vec::new() });
    }

    /// What runs on ends with the chart.
    fn finish(mut self) -> Chart {
        let mut rows = Vec::new();
        // Not by recursion: a trace from a file may be of any depth.
        let mut next: Vec<Item> = self.roots.iter().rev().map(|id| Item::Call(*id)).collect();
        while let Some(item) = next.pop() {
            let row = match item {
                Item::Row(row) => row,
                Item::Call(id) => {
                    let Some(call) = self.calls.remove(id) else { continue };
                    next.extend(call.items.into_iter().rev());
                    call.head
                }
            };
            let to = if row.is_open() { self.length } else { row.to };
            rows.push(Row { to, ..row });
        }
        Chart { length: self.length, rows }
    }
}

impl Call {
    fn add(&mut self, event: &Event<'_>, facts: &Facts<'_>, at: Duration) {
        match *event {
            Event::Queued => self.gaps.push(Gap { from: at, to: at }),
            Event::AttemptStarted { .. } => {
                self.start(Kind::Attempt, facts.attempt.to_string(), at);
            }
            Event::QuestionStarted { .. } => self.start(Kind::Question, "?".to_owned(), at),
            Event::Refused { reason, .. } => {
                self.start(Kind::Refusal, "-".to_owned(), at);
                self.end(at, End::Bad, format!("not sent: {reason}"));
            }
            Event::AttemptEnded { end, took } => {
                let (end, text) = attempt_end(end);
                self.end(at, end, format!("{}, {text}", short(took)));
            }
            Event::QuestionEnded { answer, took } => {
                let (end, text) = match answer {
                    Some(Answer::Applied) => (End::Good, "was applied"),
                    Some(Answer::NotApplied) => (End::Good, "was not applied"),
                    Some(Answer::Unknown) | None => (End::Bad, "nobody can say"),
                };
                self.end(at, end, format!("{}, {text}", short(took)));
            }
            Event::Decided { decision, .. } => self.decided(decision, at),
            Event::CallEnded { end, elapsed, .. } => self.over(end, elapsed, facts, at),
            Event::BreakerMoved { downstream, from, to } => {
                self.say(&format!("breaker of {downstream} {} to {}", from.name(), to.name()));
            }
            Event::BudgetExhausted { downstream, tokens } => {
                self.say(&format!("budget of {downstream} holds {tokens:.2}"));
            }
            Event::Waited { .. } | Event::CallStarted { .. } | Event::TimeoutAdapted { .. } => {}
        }
    }

    /// A gap that is open ends here.
    fn start(&mut self, kind: Kind, name: String, at: Duration) {
        let gaps = std::mem::take(&mut self.gaps).into_iter();
        let gaps = gaps.map(|gap| Gap { to: at, ..gap }).collect();
        let depth = self.head.depth;
        self.items.push(Item::Row(Row { depth, gaps, ..Row::new(kind, name, at) }));
    }

    fn last(&mut self) -> Option<&mut Row> {
        self.items.iter_mut().rev().find_map(|item| match item {
            Item::Row(row) => Some(row),
            Item::Call(_) => None,
        })
    }

    fn end(&mut self, at: Duration, end: End, text: String) {
        if let Some(row) = self.last() {
            row.finish(at, end, text);
        }
    }

    fn say(&mut self, text: &str) {
        if let Some(row) = self.last() {
            row.text = format!("{}; {text}", row.text);
        }
    }

    fn decided(&mut self, decision: Decision, at: Duration) {
        match decision {
            Decision::Retry(delay) => {
                let drawn = short(delay.drawn);
                self.say(&match delay.source {
                    DelaySource::Backoff => {
                        format!("retry in {drawn} of {}", short(delay.limit))
                    }
                    DelaySource::Hint => format!("retry in {drawn} as asked"),
                });
                self.gaps.push(Gap { from: at, to: at });
            }
            Decision::Stop(reason) => self.say(&format!("stop: {reason}")),
        }
    }

    fn over(&mut self, end: CallEnd<'_>, elapsed: Duration, facts: &Facts<'_>, at: Duration) {
        let attempts = facts.attempt;
        let plural = if attempts == 1 { "" } else { "s" };
        let after = format!("after {attempts} attempt{plural} in {}", short(elapsed));
        let (end, text) = match end {
            CallEnd::Succeeded => (End::Good, format!("succeeded {after}")),
            CallEnd::GaveUp { reason, .. } if facts.owner => {
                (End::Bad, format!("gave up {after}: {reason}"))
            }
            CallEnd::GaveUp { .. } => (End::Bad, format!("handed its error up {after}")),
            CallEnd::Panicked => (End::Bad, format!("panicked {after}")),
            CallEnd::Dropped => (End::Open, format!("dropped {after}")),
        };
        self.head.finish(at, end, text);
    }
}

impl Row {
    fn new(kind: Kind, name: String, at: Duration) -> Self {
        Self {
            depth: 0,
            kind,
            name,
            gaps: Vec::new(),
            from: at,
            to: at,
            end: End::Open,
            text: String::new(),
        }
    }

    fn finish(&mut self, at: Duration, end: End, text: String) {
        (self.to, self.end, self.text) = (at, end, text);
    }

    /// Whether its end was not recorded.
    fn is_open(&self) -> bool {
        self.text.is_empty()
    }
}
