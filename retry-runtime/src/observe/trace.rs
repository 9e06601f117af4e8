//! A recording: every event of a call and of the calls in it.

mod by_id;
mod chart;
mod entry;
mod happened;
#[cfg(feature = "serde")]
mod hex;
#[cfg(feature = "serde")]
mod lines;
mod replay;
mod story;
#[cfg(feature = "svg")]
mod svg;
mod timeline;
mod words;

pub(super) use entry::Entry;
#[cfg(feature = "serde")]
pub use lines::TraceError;
pub use replay::Difference;

use super::{Event, Facts};
use crate::policy::Policy;
use by_id::ById;
use happened::Happened;
use tokio::time::Instant;

/// What [`record`](crate::record) has recorded: every event, the policies, and every draw.
///
/// [`replay`](Self::replay) shows that the recorded decisions are those of the decision function.
/// With the feature `serde` a trace can be written to a file and read again, so that one of
/// production becomes a test:
///
/// ```
/// # #[cfg(feature = "serde")] {
/// # let outage = "";
/// use retry_runtime::Trace;
///
/// let trace = Trace::from_json_lines(outage)?; // such as of `include_str!("outage.jsonl")`
/// trace.replay()?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    began: Instant,
    entries: Vec<Entry>,
}

impl Trace {
    pub(super) fn new(began: Instant, entries: Vec<Entry>) -> Self {
        Self { began, entries }
    }

    /// The events in the order in which they happened, each with the facts of its call.
    ///
    /// The instants of a trace that was read from a file lie about the time of reading: only their
    /// differences mean something.
    pub fn events(&self) -> impl Iterator<Item = (Event<'_>, Facts<'_>)> {
        let mut policies: ById<&Policy> = ById::default();
        self.entries.iter().filter_map(move |entry| {
            if let Happened::CallStarted { policy, .. } = &entry.event {
                policies.insert(entry.id, policy);
            }
            let policy = *policies.get_mut(entry.id)?;
            Some((entry.event.shown(entry, policy), entry.facts(policy, self.began)))
        })
    }
}

/// Two traces are equal if they tell the same; when they were recorded does not matter.
impl PartialEq for Trace {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}
