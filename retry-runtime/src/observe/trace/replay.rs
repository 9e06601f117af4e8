//! Deciding again what was decided, and comparing.

use super::Trace;
use super::by_id::ById;
use super::entry::Entry;
use super::happened::Happened;
use super::story::Story;
use std::error::Error;
use std::fmt::{self, Debug};

/// The first place where a trace is not what the decision function, or the trace itself, makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the event, from 1; in a file it is the line.
    event: usize,
    call: String,
    what: &'static str,
    recorded: String,
    replayed: String,
}

impl Difference {
    /// The number of the event in the trace, from 1: of JSON lines it is the line.
    #[must_use]
    pub fn event(&self) -> usize {
        self.event
    }

    /// The name of what differs, such as `decision`.
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.what
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, call, what, recorded, replayed } = self;
        write!(
            f,
            "event {event}, of `{call}`: `{what}` was recorded as {recorded}, and replay makes it {replayed}"
        )
    }
}

impl Error for Difference {}

/// What differs, before anybody knows where.
#[derive(Debug)]
pub(super) struct Mismatch {
    what: &'static str,
    recorded: String,
    replayed: String,
}

/// An error if the two are not the same.
pub(super) fn same<T: PartialEq + Debug>(
    what: &'static str,
    recorded: &T,
    replayed: &T,
) -> Result<(), Mismatch> {
    if recorded == replayed {
        return Ok(());
    }
    let (recorded, replayed) = (format!("{recorded:?}"), format!("{replayed:?}"));
    Err(Mismatch { what, recorded, replayed })
}

impl Trace {
    /// Decides everything again, by [`decide`](crate::decide::decide) and the recorded draws, and
    /// compares it bit for bit. Gives the number of decisions.
    ///
    /// What a decision depends on is not taken on trust where another event says it too: attempts
    /// are counted again, times are added up again, and a class is that of the attempt before.
    ///
    /// # Errors
    ///
    /// The first [`Difference`].
    pub fn replay(&self) -> Result<usize, Difference> {
        let mut stories = ById::default();
        let mut decisions = 0;
        for (index, entry) in self.entries.iter().enumerate() {
            follow(&mut stories, entry).map_err(|mismatch| {
                let Mismatch { what, recorded, replayed } = mismatch;
                let call = entry.call.clone();
                Difference { event: index + 1, call, what, recorded, replayed }
            })?;
            decisions += usize::from(matches!(entry.event, Happened::Decided(_)));
        }
        Ok(decisions)
    }
}

fn follow<'t>(stories: &mut ById<Story<'t>>, entry: &'t Entry) -> Result<(), Mismatch> {
    match (&entry.event, stories.get_mut(entry.id)) {
        (_, Some(story)) => story.follow(entry),
        (Happened::CallStarted { policy, .. }, None) => {
            stories.insert(entry.id, Story::begin(entry, policy)?);
            Ok(())
        }
        (_, None) => same("event", &entry.event.name(), &"call_started"),
    }
}
