//! What services print, and tests read: a line for each thing that happens.

use retry_runtime::Scope;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What happened in a service, under which scope, and when.
#[derive(Clone, Debug)]
pub struct Line {
    pub service: String,
    pub event: String,
    pub root: u64,
    pub attempt: u32,
    pub left: Duration,
    /// Since 1970, by the clock of the machine that all services share.
    pub at: Duration,
}

impl Line {
    /// Something happens now, in the current scope.
    #[must_use]
    pub fn now(service: &str, event: &str) -> Self {
        let scope = Scope::current();
        Self {
            service: service.to_owned(),
            event: event.to_owned(),
            root: scope.as_ref().map_or(0, Scope::root_id),
            attempt: scope.as_ref().map_or(0, Scope::request_attempt),
            left: scope.as_ref().map_or(Duration::ZERO, Scope::time_left),
            at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { service, event, root, attempt, left, at } = self;
        write!(f, "{service} {event} {root} {attempt} {} {}", left.as_micros(), at.as_micros())
    }
}

impl FromStr for Line {
    type Err = Box<dyn std::error::Error>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split(' ');
        let mut word = || words.next().ok_or("a word is missing");
        Ok(Self {
            service: word()?.to_owned(),
            event: word()?.to_owned(),
            root: word()?.parse()?,
            attempt: word()?.parse()?,
            left: Duration::from_micros(word()?.parse()?),
            at: Duration::from_micros(word()?.parse()?),
        })
    }
}
