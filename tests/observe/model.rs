//! What a call came to follows from its events alone: a small model, which knows nothing of the
//! loop, makes the same of them.

use crate::scene::{Law, Outcome, Scene, in_virtual_time};
use retry_runtime::decide::Decision;
use retry_runtime::observe::{Answer, AttemptEnd, CallEnd, Event, Facts, Observer};
use retry_runtime::{Class, Delivery, Outcome as Effect, Reason};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

/// What became of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    Succeeded,
    Failed { attempts: u32, reason: &'static str, unknown: bool, elapsed: Duration },
    Dropped,
}

impl From<Option<Outcome>> for Result {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            None => Self::Dropped,
            Some(Ok(_)) => Self::Succeeded,
            Some(Err(error)) => Self::Failed {
                attempts: error.attempts(),
                reason: error.reason().name(),
                unknown: error.outcome() == Effect::Unknown,
                elapsed: error.elapsed(),
            },
        }
    }
}

/// The tokens of a budget, in millionths.
#[derive(Debug)]
struct Tokens {
    law: Law,
    held: u64,
    /// Up to when the reserve was paid out; from the first event on.
    paid_until: Option<Instant>,
}

const TOKEN: u64 = 1_000_000;

impl Tokens {
    fn new(law: Law) -> Self {
        let held = match law {
            Law::Share { per_second, .. } => u64::from(per_second) * TOKEN,
            Law::Throttle { tokens, .. } => u64::from(tokens) * TOKEN,
            Law::Costs { capacity } => u64::from(capacity) * TOKEN,
        };
        Self { law, held, paid_until: None }
    }

    fn add(&mut self, amount: u64) {
        let most = match self.law {
            Law::Share { per_second, .. } => (u64::from(per_second) * 10).max(100),
            Law::Throttle { tokens, .. } => u64::from(tokens),
            Law::Costs { capacity } => u64::from(capacity),
        };
        self.held = (self.held + amount).min(most * TOKEN);
    }

    fn settle(&mut self, first: bool, succeeded: bool, class: Option<Class>, paid: u64) {
        match self.law {
            Law::Share { millionths, .. } if first => self.add(millionths),
            Law::Throttle { millionths, .. } if succeeded => self.add(millionths),
            Law::Throttle { .. } if class.is_some_and(Class::is_retryable) => {
                self.held = self.held.saturating_sub(TOKEN);
            }
            Law::Costs { .. } if succeeded => self.add(paid.max(TOKEN)),
            _ => {}
        }
    }

    /// What the time since the last decision brings.
    fn pay_reserve(&mut self, now: Instant) {
        let Law::Share { per_second, .. } = self.law else { return };
        let since = self.paid_until.unwrap();
        let due = (now - since).as_nanos() * u128::from(per_second) * u128::from(TOKEN);
        let due = u64::try_from(due / 1_000_000_000).unwrap();
        if due > 0 {
            self.paid_until = Some(now);
            self.add(due);
        }
    }

    fn take(&mut self, timed_out: bool) -> u64 {
        let cost = match self.law {
            Law::Share { .. } => TOKEN,
            Law::Throttle { .. } => 0,
            Law::Costs { .. } => TOKEN * if timed_out { 10 } else { 5 },
        };
        self.held -= cost;
        cost
    }
}

#[derive(Debug)]
struct Call {
    is_outermost: bool,
    /// Attempts of the calls around it before the one that it is in.
    repeats: u32,
    attempts: u32,
    timed_out: bool,
    unknown: bool,
    reason: Option<Reason>,
    /// What the attempt that failed says, until something is decided about it.
    failed: Option<Class>,
    /// The time that its events account for, and how much of that was between attempts.
    spent: Duration,
    waited: Duration,
    queued: Option<Instant>,
    /// A retry that is paid for and not started, and what the attempt that runs cost.
    token: Option<u64>,
    paid: u64,
    result: Option<Result>,
}

#[derive(Debug)]
struct Model {
    tokens: Tokens,
    calls: BTreeMap<u64, Call>,
}

impl Model {
    fn begin(&mut self, parent: Option<u64>, id: u64) {
        let around = parent.map(|parent| &self.calls[&parent]);
        let call = Call {
            is_outermost: parent.is_none(),
            repeats: around.map_or(0, |call| call.repeats + call.attempts - 1),
            attempts: 0,
            timed_out: false,
            unknown: false,
            reason: None,
            failed: None,
            spent: Duration::ZERO,
            waited: Duration::ZERO,
            queued: None,
            token: None,
            paid: 0,
            result: None,
        };
        assert!(self.calls.insert(id, call).is_none(), "a number of its own");
    }

    fn hear(&mut self, event: &Event<'_>, facts: &Facts<'_>) {
        self.tokens.paid_until.get_or_insert(facts.at);
        if let Event::CallStarted { parent, .. } = event {
            return self.begin(*parent, facts.call_id);
        }
        let Self { tokens, calls } = self;
        let call = calls.get_mut(&facts.call_id).unwrap();
        assert_eq!(call.result, None, "nothing is told after the end");
        match *event {
            Event::Queued => call.queued = Some(facts.at),
            Event::Refused { reason, .. } => {
                call.leave_queue(facts.at);
                call.reason = Some(reason);
                // Nobody could ask about the attempt that failed.
                call.fail(tokens);
            }
            Event::AttemptStarted { .. } => {
                call.leave_queue(facts.at);
                call.attempts += 1;
                call.paid = call.token.take().unwrap_or_default();
            }
            Event::QuestionStarted { .. } => {
                call.leave_queue(facts.at);
                // Of the question before the first attempt, which the call may not survive.
                call.unknown |= call.attempts == 0;
                call.reason = Some(Reason::UnknownOutcome);
            }
            Event::AttemptEnded { end, took } => {
                call.spent += took;
                call.timed_out = matches!(end, AttemptEnd::TimedOut { .. });
                call.failed = match end {
                    AttemptEnd::Failed { class, .. } | AttemptEnd::TimedOut { class, .. } => {
                        Some(class)
                    }
                    _ => None,
                };
                if matches!(end, AttemptEnd::Succeeded) {
                    call.settle(tokens, true, None);
                }
            }
            Event::QuestionEnded { answer, took } => {
                call.spent += took;
                match answer {
                    Some(Answer::Applied) => call.settle(tokens, true, None),
                    Some(Answer::NotApplied) if call.attempts == 0 => call.unknown = false,
                    _ => {}
                }
            }
            Event::Decided { situation, decision, .. } => {
                call.failed = Some(situation.class);
                call.fail(tokens);
                tokens.pay_reserve(facts.at);
                match decision {
                    Decision::Retry(_) => call.token = Some(tokens.take(call.timed_out)),
                    Decision::Stop(reason) => call.reason = Some(reason),
                }
            }
            Event::Waited { took } => {
                call.spent += took;
                call.waited += took;
            }
            Event::BudgetExhausted { tokens: told, .. } => {
                assert_eq!(Duration::from_secs_f64(told), Duration::from_micros(tokens.held));
            }
            Event::CallEnded { end, elapsed, waited } => {
                assert_eq!(waited, call.waited);
                tokens.add(call.token.take().unwrap_or_default());
                call.end(end, elapsed);
            }
            _ => {}
        }
        assert_eq!(facts.attempt, call.attempts);
    }
}

impl Call {
    fn leave_queue(&mut self, now: Instant) {
        if let Some(since) = self.queued.take() {
            self.spent += now - since;
        }
    }

    /// An attempt has failed, whatever is decided about it.
    fn fail(&mut self, tokens: &mut Tokens) {
        if let Some(class) = self.failed.take() {
            self.unknown |= class.delivery() == Delivery::Unknown;
            self.settle(tokens, false, Some(class));
        }
    }

    fn settle(&self, tokens: &mut Tokens, succeeded: bool, class: Option<Class>) {
        let first = self.attempts == 1 && self.repeats == 0;
        tokens.settle(first, succeeded, class, self.paid);
    }

    fn end(&mut self, end: CallEnd<'_>, elapsed: Duration) {
        self.result = Some(match end {
            CallEnd::Dropped => return self.result = Some(Result::Dropped),
            CallEnd::Succeeded => Result::Succeeded,
            CallEnd::GaveUp { .. } => Result::Failed {
                attempts: self.attempts,
                reason: self.reason.unwrap().name(),
                unknown: self.unknown,
                elapsed: self.spent,
            },
            other => panic!("{other:?}"),
        });
        assert_eq!(elapsed, self.spent, "every moment is accounted for");
    }
}

struct Listening(Mutex<Model>);

impl Observer for Listening {
    fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
        self.0.lock().unwrap().hear(event, facts);
    }
}

#[test]
fn events_alone_explain_the_results_of_ten_thousand_random_calls() {
    const SIDE_BY_SIDE: usize = 19;
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..10_000 / (SIDE_BY_SIDE as u64 + 1) {
        // Of another law, until the scene says which.
        let tokens = Tokens::new(Law::Costs { capacity: 0 });
        let model = Mutex::new(Model { tokens, calls: BTreeMap::new() });
        let model: &'static Listening = Box::leak(Box::new(Listening(model)));
        // Not the scenes of the replay.
        let scene = Scene::random(seed + 1_000_000, SIDE_BY_SIDE, |leaf| leaf.observer(model));
        model.0.lock().unwrap().tokens = Tokens::new(scene.law);
        let results = in_virtual_time(scene.run());

        let model = model.0.lock().unwrap();
        let outermost = model.calls.values().filter(|call| call.is_outermost);
        let mut told: Vec<Result> = outermost.map(|call| call.result.clone().unwrap()).collect();
        let mut seen: Vec<Result> = results.into_iter().map(Result::from).collect();
        told.sort();
        seen.sort();
        assert_eq!(told, seen, "{seed}");
        assert!(model.calls.values().all(|call| call.result.is_some()), "each call ends");
        let held = Duration::from_micros(model.tokens.held);
        assert_eq!(Duration::from_secs_f64(scene.downstream.retry_tokens()), held, "{seed}");
        for result in told {
            let name = match result {
                Result::Succeeded => "succeeded",
                Result::Failed { reason, .. } => reason,
                Result::Dropped => "dropped",
            };
            *reasons.entry(name).or_default() += 1;
        }
    }
    println!("{reasons:?}");
    assert_eq!(reasons.values().sum::<usize>(), 10_000);
    // Every way to end is among them, but for those that need a policy or a key that is refused.
    assert!(reasons.len() >= 11, "{reasons:?}");
}
