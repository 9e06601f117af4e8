//! One call of a trace, followed from event to event.

use super::entry::Entry;
use super::happened::{Decided, Ended, Happened, Over};
use super::replay::{Mismatch, same};
use crate::classify::Class;
use crate::decide::{Decision, DelaySource, decide};
use crate::error::Reason;
use crate::observe::Answer;
use crate::policy::Policy;
use std::time::Duration;

/// What the events of a call so far say about the next.
#[derive(Debug)]
pub(super) struct Story<'t> {
    first: &'t Entry,
    policy: &'t Policy,
    attempts: u32,
    /// When the last event was.
    now: Duration,
    /// When what runs began.
    since: Duration,
    previous_delay: Option<Duration>,
    /// Between attempts.
    waited: Duration,
    state: State,
}

/// Where the call stands.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// An attempt is to start.
    Ready,
    Running,
    /// The attempt failed, and what follows is to be decided.
    Failed {
        class: Class,
        unanswered: bool,
    },
    /// The server is asked about it.
    Asking {
        class: Class,
    },
    /// The server is asked before the first attempt about those of an enclosing call.
    AskingFirst,
    Paused,
    /// The call is to end so.
    Ending(End),
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Succeeded,
    GaveUp(Reason),
    Panicked,
    Dropped,
}

impl<'t> Story<'t> {
    pub(super) fn begin(first: &'t Entry, policy: &'t Policy) -> Result<Self, Mismatch> {
        same("attempt", &first.attempt, &0)?;
        Ok(Self {
            first,
            policy,
            attempts: 0,
            now: first.at,
            since: first.at,
            previous_delay: None,
            waited: Duration::ZERO,
            state: State::Ready,
        })
    }

    pub(super) fn follow(&mut self, entry: &Entry) -> Result<(), Mismatch> {
        if let Happened::AttemptStarted { .. } = entry.event {
            self.attempts += 1;
        }
        self.check_facts(entry)?;
        let next = match &entry.event {
            // What happens to a downstream says nothing about the state of the call.
            Happened::Queued
            | Happened::BudgetExhausted { .. }
            | Happened::BreakerMoved { .. }
            | Happened::TimeoutAdapted { .. } => return Ok(()),
            Happened::CallStarted { .. } => None,
            Happened::Refused { reason, .. } => self.refused(*reason),
            Happened::AttemptStarted { .. } => {
                (self.state == State::Ready).then_some(State::Running)
            }
            Happened::AttemptEnded { end, took } => self.ended(end, *took)?,
            Happened::QuestionStarted { .. } => match self.state {
                State::Ready if self.attempts == 0 => Some(State::AskingFirst),
                State::Failed { class, unanswered: false } => Some(State::Asking { class }),
                _ => None,
            },
            Happened::QuestionEnded { answer, took } => self.answered(*answer, *took)?,
            Happened::Decided(decided) => Some(self.decided(entry, decided)?),
            Happened::Waited { took } => {
                same("took_ns", took, &self.lasted())?;
                self.waited = self.waited.saturating_add(*took);
                (self.state == State::Paused).then_some(State::Ready)
            }
            Happened::CallEnded { end, elapsed, waited } => {
                same("elapsed_ns", elapsed, &self.passed())?;
                same("waited_ns", waited, &self.waited)?;
                Some(self.over(end)?)
            }
        };
        let Some(next) = next else {
            return same("event", &entry.event.name(), &self.expected());
        };
        self.since = self.now;
        self.state = next;
        Ok(())
    }

    /// What all events of a call have in common.
    fn check_facts(&mut self, entry: &Entry) -> Result<(), Mismatch> {
        let first = self.first;
        same("root", &entry.root, &first.root)?;
        same("call", &entry.call, &first.call)?;
        same("downstream", &entry.downstream, &first.downstream)?;
        same("owner", &entry.owner, &first.owner)?;
        same("key", &entry.key, &first.key)?;
        same("attempt", &entry.attempt, &self.attempts)?;
        same("at_ns", &entry.at, &entry.at.max(self.now))?;
        self.now = entry.at;
        let passed = self.passed();
        same(
            "time_left_ns",
            &entry.time_left,
            &first.time_left.map(|left| left.saturating_sub(passed)),
        )
    }

    /// From the beginning of the call.
    fn passed(&self) -> Duration {
        self.now.saturating_sub(self.first.at)
    }

    /// From the beginning of what runs.
    fn lasted(&self) -> Duration {
        self.now.saturating_sub(self.since)
    }

    fn refused(&self, reason: Reason) -> Option<State> {
        match self.state {
            // An attempt that may not start ends the call, and so does a question that may not.
            State::Ready | State::Failed { unanswered: false, .. } => {
                Some(State::Ending(End::GaveUp(reason)))
            }
            _ => None,
        }
    }

    fn ended(&self, end: &Ended, took: Duration) -> Result<Option<State>, Mismatch> {
        same("took_ns", &took, &self.lasted())?;
        let next = match end {
            Ended::Succeeded => State::Ending(End::Succeeded),
            Ended::Failed { class, .. } | Ended::TimedOut { class, .. } => {
                State::Failed { class: *class, unanswered: false }
            }
            Ended::Panicked => State::Ending(End::Panicked),
            Ended::Dropped => State::Ending(End::Dropped),
        };
        Ok((self.state == State::Running).then_some(next))
    }

    fn answered(&self, answer: Option<Answer>, took: Duration) -> Result<Option<State>, Mismatch> {
        same("took_ns", &took, &self.lasted())?;
        Ok(match (self.state, answer) {
            (State::Asking { .. } | State::AskingFirst, Some(Answer::Applied)) => {
                Some(State::Ending(End::Succeeded))
            }
            (State::Asking { class }, Some(Answer::NotApplied)) => {
                Some(State::Failed { class: class.refused(), unanswered: false })
            }
            (State::Asking { class }, _) => Some(State::Failed { class, unanswered: true }),
            (State::AskingFirst, Some(Answer::NotApplied)) => Some(State::Ready),
            (State::AskingFirst, _) => Some(State::Ending(End::GaveUp(Reason::UnknownOutcome))),
            _ => None,
        })
    }

    fn decided(&mut self, entry: &Entry, decided: &Decided) -> Result<State, Mismatch> {
        let State::Failed { class, unanswered } = self.state else {
            return same("event", &entry.event.name(), &self.expected()).map(|()| self.state);
        };
        same("class", &decided.class, &class)?;
        same("unanswered", &decided.unanswered, &unanswered)?;
        same("previous_delay_ns", &decided.previous_delay, &self.previous_delay)?;
        let decision = decide(&decided.situation(entry, self.policy));
        same("decision", &decided.decision, &decision)?;
        Ok(match decision {
            Decision::Retry(delay) => {
                if delay.source == DelaySource::Backoff {
                    self.previous_delay = Some(delay.drawn);
                }
                State::Paused
            }
            Decision::Stop(reason) => State::Ending(End::GaveUp(reason)),
        })
    }

    fn over(&self, end: &Over) -> Result<State, Mismatch> {
        let end = match end {
            Over::Succeeded => End::Succeeded,
            Over::GaveUp { reason, .. } => End::GaveUp(*reason),
            Over::Panicked => End::Panicked,
            Over::Dropped => End::Dropped,
        };
        match self.state {
            State::Ending(ending) => same("end", &end, &ending)?,
            State::Over => {
                return same("event", &"call_ended", &self.expected()).map(|()| self.state);
            }
            // A caller can go away at any time.
            _ => same("end", &end, &End::Dropped)?,
        }
        Ok(State::Over)
    }

    /// The name of the event that would fit.
    fn expected(&self) -> &'static str {
        match self.state {
            State::Ready => "attempt_started",
            State::Running => "attempt_ended",
            State::Failed { .. } => "decided",
            State::Asking { .. } | State::AskingFirst => "question_ended",
            State::Paused => "waited",
            State::Ending(_) => "call_ended",
            State::Over => "nothing",
        }
    }
}
