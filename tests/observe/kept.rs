//! An observer that keeps what it hears, in words.

use retry_runtime::Downstream;
use retry_runtime::decide::Decision;
use retry_runtime::observe::{AttemptEnd, CallEnd, Event, Facts, Observer};
use std::sync::Mutex;
use std::time::Duration;

/// One event: its call, and a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub call: u64,
    pub root: u64,
    pub attempt: u32,
    pub key: Option<String>,
    pub text: String,
}

#[derive(Default)]
pub struct Kept(Mutex<Vec<Line>>);

impl Observer for Kept {
    fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
        self.0.lock().unwrap().push(Line {
            call: facts.call_id,
            root: facts.root_id,
            attempt: facts.attempt,
            key: facts.key.map(|key| key.to_string()),
            text: words(event, facts),
        });
    }
}

impl Kept {
    /// One that lives as long as the process, as a downstream's observer must.
    pub fn new() -> &'static Self {
        Box::leak(Box::default())
    }

    pub fn downstream(&'static self) -> Downstream {
        Downstream::new("leaf").observer(self)
    }

    pub fn lines(&self) -> Vec<Line> {
        self.0.lock().unwrap().clone()
    }

    /// The words alone; nothing is left.
    pub fn take(&self) -> Vec<String> {
        self.0.lock().unwrap().drain(..).map(|line| line.text).collect()
    }
}

fn words(event: &Event<'_>, facts: &Facts<'_>) -> String {
    let attempt = facts.attempt;
    match event {
        Event::CallStarted { .. } => format!("{} starts", facts.call),
        Event::Queued => "queued".to_owned(),
        Event::Refused { reason, .. } => format!("refused: {}", reason.name()),
        Event::AttemptStarted { timeout, limit } => {
            format!("start({attempt}) for {} by {limit:?}", shown(*timeout))
        }
        Event::AttemptEnded { end, took } => {
            let end = match end {
                AttemptEnd::Succeeded => "succeeded".to_owned(),
                AttemptEnd::Failed { error, .. } => format!("failed: {:?}", error.unwrap()),
                AttemptEnd::TimedOut { limit, .. } => format!("timed out by {limit:?}"),
                AttemptEnd::Panicked => "panicked".to_owned(),
                AttemptEnd::Dropped => "dropped".to_owned(),
                other => unreachable!("{other:?}"),
            };
            format!("end({attempt}) after {took:?}: {end}")
        }
        Event::QuestionStarted { .. } => "asks".to_owned(),
        Event::QuestionEnded { answer, .. } => format!("answer: {answer:?}"),
        Event::Decided { decision: Decision::Retry(delay), .. } => {
            format!("retry in {:?} of {:?} by {:?}", delay.drawn, delay.limit, delay.source)
        }
        Event::Decided { decision: Decision::Stop(reason), .. } => {
            format!("stop: {}", reason.name())
        }
        Event::Waited { took } => format!("waited {took:?}"),
        Event::CallEnded { end, elapsed, .. } => {
            let end = match end {
                CallEnd::Succeeded => "succeeded".to_owned(),
                CallEnd::GaveUp { reason, outcome, last } => {
                    format!("gave up: {}, {outcome:?}, {last:?}", reason.name())
                }
                CallEnd::Panicked => "panicked".to_owned(),
                CallEnd::Dropped => "dropped".to_owned(),
                other => unreachable!("{other:?}"),
            };
            format!("over after {elapsed:?} and {attempt}: {end}")
        }
        Event::BudgetExhausted { downstream, tokens } => {
            format!("budget of {downstream} holds {tokens}")
        }
        Event::BreakerMoved { downstream, from, to } => {
            format!("breaker of {downstream}: {} to {}", from.name(), to.name())
        }
        Event::TimeoutAdapted { from, to } => {
            format!("timeout: {} to {}", shown(*from), shown(*to))
        }
        other => unreachable!("{other:?}"),
    }
}

fn shown(time: Option<Duration>) -> String {
    time.map_or_else(|| "ever".to_owned(), |time| format!("{time:?}"))
}
