//! What a recorded call has to have done.

#![expect(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a check is made for its panic, and gives itself only for the next one"
)]

use crate::decide::Decision;
use crate::error::{Outcome, Reason};
use crate::observe::{CallEnd, Event, Trace};
use std::fmt::Debug;
use std::time::Duration;

/// Looks at the first call of a trace; [`Check::call`] looks at another.
///
/// What does not hold is a panic, at the place of the check, that shows the timeline of the trace.
///
/// # Panics
///
/// When there is no call.
///
/// ```should_panic
/// use retry_runtime::testing::check;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let ((), trace) = retry_runtime::record(async {}).await;
/// check(&trace); // nothing was called
/// # }
/// ```
#[track_caller]
pub fn check(trace: &Trace) -> Check<'_> {
    let first = trace.events().next().map(|(_, facts)| facts.call_id);
    match first {
        Some(id) => Check { trace, id },
        None => panic!("there is no call in the trace"),
    }
}

/// What one call has to have done; see [`check`]. Each check gives itself again, for the next one.
///
/// # Panics
///
/// All of them do when what they say does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Check<'t> {
    trace: &'t Trace,
    id: u64,
}

impl<'t> Check<'t> {
    /// Looks at the first call of the function of this name instead.
    #[track_caller]
    pub fn call(self, name: &str) -> Self {
        let named = self.trace.events().find(|(_, facts)| facts.call == name);
        match named {
            Some((_, facts)) => Self { id: facts.call_id, ..self },
            None => self.fail(&format!("there is no call of `{name}`")),
        }
    }

    /// The call has ended with a value.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        match self.end() {
            Some(CallEnd::Succeeded) => self,
            other => self.fail(&format!("the call should have succeeded, and ended as {other:?}")),
        }
    }

    /// The call has ended without one, for this reason.
    #[track_caller]
    pub fn gave_up(self, because: Reason) -> Self {
        match self.end() {
            Some(CallEnd::GaveUp { reason, .. }) => self.equal("reason", &reason, &because),
            other => self.fail(&format!("the call should have given up, and ended as {other:?}")),
        }
    }

    /// The call has ended without a value, and this is known of its effect.
    #[track_caller]
    pub fn outcome(self, expected: Outcome) -> Self {
        match self.end() {
            Some(CallEnd::GaveUp { outcome, .. }) => self.equal("outcome", &outcome, &expected),
            other => self.fail(&format!("the call should have given up, and ended as {other:?}")),
        }
    }

    /// So many attempts were started.
    #[track_caller]
    pub fn attempts(self, expected: u32) -> Self {
        let attempts = self.facts().map(|(_, attempt, _)| attempt).max().unwrap_or_default();
        self.equal("number of attempts", &attempts, &expected)
    }

    /// Exactly these delays were drawn, or asked for by the server.
    #[track_caller]
    pub fn waits(self, expected: impl IntoIterator<Item = Duration>) -> Self {
        let expected: Vec<Duration> = expected.into_iter().collect();
        self.equal("delays", &self.delays(), &expected)
    }

    /// All delays together are no longer than this.
    #[track_caller]
    pub fn waits_at_most(self, longest: Duration) -> Self {
        let waits: Duration = self.delays().iter().sum();
        if waits <= longest {
            return self;
        }
        self.fail(&format!("the delays add up to {waits:?}, which is more than {longest:?}"))
    }

    /// The call has ended, and took no longer than this.
    #[track_caller]
    pub fn within(self, longest: Duration) -> Self {
        let elapsed = self.facts().find_map(|(event, ..)| match event {
            Event::CallEnded { elapsed, .. } => Some(elapsed),
            _ => None,
        });
        match elapsed {
            Some(elapsed) if elapsed <= longest => self,
            Some(elapsed) => self.fail(&format!("the call took {elapsed:?}, not {longest:?}")),
            None => self.fail("the call has not ended"),
        }
    }

    /// The events of the call with the number of the attempt and the instant from its beginning.
    fn facts(self) -> impl Iterator<Item = (Event<'t>, u32, Duration)> {
        let of_call = self.trace.events().filter(move |(_, facts)| facts.call_id == self.id);
        let mut began = None;
        of_call.map(move |(event, facts)| {
            let began = *began.get_or_insert(facts.at);
            (event, facts.attempt, facts.at.saturating_duration_since(began))
        })
    }

    fn end(self) -> Option<CallEnd<'t>> {
        self.facts().find_map(|(event, ..)| match event {
            Event::CallEnded { end, .. } => Some(end),
            _ => None,
        })
    }

    fn delays(self) -> Vec<Duration> {
        let delay = |event| match event {
            Event::Decided { decision: Decision::Retry(delay), .. } => Some(delay.drawn),
            _ => None,
        };
        self.facts().filter_map(|(event, ..)| delay(event)).collect()
    }

    #[track_caller]
    fn equal<V: PartialEq + Debug>(self, what: &str, value: &V, expected: &V) -> Self {
        if value == expected {
            return self;
        }
        self.fail(&format!("the {what} should be {expected:?}, and is {value:?}"))
    }

    #[track_caller]
    fn fail(self, sentence: &str) -> ! {
        panic!("{sentence}\n{}", self.trace)
    }
}
