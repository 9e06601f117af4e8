//! A scope that waits: in a queue, a file or a table, until a worker takes the job up again.

use super::facts::Fact;
use super::{Scope, Standing, root};
use crate::key::IdempotencyKey;
use crate::wall;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Error as _, Serialize, Serializer};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// A deadline that was read from a file, and the date that stood there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dated {
    deadline: Instant,
    date: SystemTime,
}

/// The scope as it is written.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Sixteen hexadecimal digits.
    root: String,
    /// RFC 3339, in UTC, with milliseconds; rounded down, so that it never grows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deadline: Option<String>,
    /// Started so far.
    attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_attempts: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
}

/// Writes the scope down for a later attempt; needs the feature `serde`.
///
/// ```json
/// { "root": "00000000075bcd15", "deadline": "2026-11-30T12:00:00.000Z", "attempts": 1, "max_attempts": 3 }
/// ```
///
/// A job that is put back keeps its root, its deadline and the attempts that were started, the one
/// that runs included. The owner of its retries is not written: the loop that owns them ends with
/// its process, and the next worker's call takes them over. The wait that it was in is not written
/// either: that call begins with an attempt.
///
/// Write it at the start of every attempt, before the attempt does anything: then a worker that is
/// killed has been counted. What an attempt writes is the deadline of its call: that of the policy,
/// if it is earlier than that of the job. A new job starts anew, with [`Scope::root`].
///
/// The example `queue` of this project does so with Redis, and kills its workers.
impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let deadline = self.deadline().map(|instant| {
            self.date_of(instant)
                .filter(|date| *date < year_ten_thousand())
                .ok_or_else(|| S::Error::custom("the deadline is no date before year 10000"))
        });
        let deadline = deadline.transpose()?.map(humantime::format_rfc3339_millis);
        Written {
            root: root::write(self.root_id()),
            deadline: deadline.map(|date| date.to_string()),
            attempts: self.standing.attempts_spent(),
            max_attempts: self.standing.at.retries.limited_to(),
            idempotency_key: self.key.as_ref().map(IdempotencyKey::to_string),
        }
        .serialize(serializer)
    }
}

/// Takes the scope up again; needs the feature `serde`.
///
/// The deadline is a date, so the clocks of the machines have to agree as well as it has to be exact.
///
/// If attempts were started before, nobody knows how they ended. An error of a call in this scope
/// then says [`Outcome::Unknown`](crate::Outcome::Unknown), whatever its own attempts say, and a
/// `once` call is refused with [`Reason::UnknownOutcome`](crate::Reason::UnknownOutcome).
impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let mut scope = Self::of(Standing::NEW);
        scope.standing.root = root::read(&written.root)
            .ok_or_else(|| D::Error::custom("`root` is not sixteen hexadecimal digits"))?;
        if let Some(deadline) = written.deadline {
            let date = humantime::parse_rfc3339(&deadline).map_err(D::Error::custom)?;
            // What no clock can express never comes.
            if let Some(deadline) = Instant::now().checked_add(wall::until(date)) {
                scope.standing.end_at(deadline);
                scope.dated = Some(Dated { deadline, date });
            }
        }
        scope.standing.set_attempts_spent(written.attempts);
        scope.standing.at.facts.set(Fact::Resumed, written.attempts > 0);
        if let Some(max_attempts) = written.max_attempts {
            scope = scope.max_attempts(max_attempts);
        }
        if let Some(key) = written.idempotency_key {
            let key = IdempotencyKey::new(&key).map_err(D::Error::custom)?;
            scope = scope.idempotency_key(key);
        }
        Ok(scope)
    }
}

impl Scope {
    /// The date of its deadline: the one that it was read from, unless an earlier one came after it.
    fn date_of(&self, deadline: Instant) -> Option<SystemTime> {
        let read = self.dated.filter(|dated| dated.deadline == deadline);
        read.map(|dated| dated.date).or_else(|| wall::date_of(deadline))
    }
}

/// The first instant that RFC 3339 cannot write.
fn year_ten_thousand() -> SystemTime {
    const SECONDS: u64 = 253_402_300_800;
    SystemTime::UNIX_EPOCH + Duration::from_secs(SECONDS)
}
