//! The jobs of the demonstration, and what is done to the workers that have them.

use crate::options::Order;
use crate::subscriber::{Mood, Subscriber};
use std::time::Duration;

/// When a worker is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kill {
    InAttempt,
    InWait,
}

pub(crate) struct Case {
    pub(crate) what: &'static str,
    pub(crate) event: &'static str,
    pub(crate) mood: Mood,
    pub(crate) once: bool,
    pub(crate) kill: Option<Kill>,
    pub(crate) attempts: u32,
    pub(crate) deadline: Duration,
    /// How it has to end: delivered, or dead for this reason.
    pub(crate) ends: &'static str,
}

/// A job of four attempts that is delivered at once.
const PLAIN: Case = Case {
    what: "works",
    event: "works",
    mood: Mood::Works,
    once: false,
    kill: None,
    attempts: 4,
    deadline: Duration::from_secs(30),
    ends: "delivered",
};

/// Those whose workers are killed come first.
pub(crate) const CASES: [Case; 7] = [
    Case {
        what: "the worker is killed in the first attempt",
        event: "killed-in-attempt",
        mood: Mood::HangsOnce,
        kill: Some(Kill::InAttempt),
        ..PLAIN
    },
    Case {
        what: "the worker is killed in the wait after it",
        event: "killed-in-wait",
        mood: Mood::BusyOnce,
        kill: Some(Kill::InWait),
        ..PLAIN
    },
    Case {
        what: "the same as the first, but never twice",
        event: "killed-once",
        mood: Mood::HangsOnce,
        once: true,
        kill: Some(Kill::InAttempt),
        ends: "unknown_outcome",
        ..PLAIN
    },
    PLAIN,
    Case { what: "fails twice", event: "fails-twice", mood: Mood::FailsTwice, ..PLAIN },
    Case {
        what: "fails always",
        event: "fails",
        mood: Mood::Fails,
        ends: "attempt_limit",
        ..PLAIN
    },
    Case {
        what: "fails always, for 0.4 seconds",
        event: "fails-in-time",
        mood: Mood::Fails,
        attempts: 20,
        deadline: Duration::from_millis(400),
        ends: "deadline",
        ..PLAIN
    },
];

impl Case {
    pub(crate) fn order(&self, subscriber: &Subscriber) -> Order {
        Order {
            event: self.event.to_owned(),
            url: subscriber.url(self.mood, self.event),
            text: self.what.to_owned(),
            once: self.once,
            attempts: self.attempts,
            deadline: self.deadline,
        }
    }
}
