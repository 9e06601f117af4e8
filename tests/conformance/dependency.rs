//! A dependency that answers by a script, and calls to it whose course is kept.

use crate::unchecked;
use retry_runtime::{Class, Classify, Downstream, Error, Policy, Reason};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A failure that is nothing but its class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failed(pub Class);

impl Classify for Failed {
    fn classify(&self) -> Class {
        self.0
    }
}

pub type Answer = Result<(), Failed>;

pub const OK: Answer = Ok(());
/// A status 500 or 502, `UNAVAILABLE`, or the like.
pub const BROKEN: Answer = Err(Failed(Class::TRANSIENT));
pub const THROTTLED: Answer = Err(Failed(Class::THROTTLED));
/// A status 404, `INTERNAL`, or the like.
pub const REFUSED: Answer = Err(Failed(Class::PERMANENT));

/// The same failure with a wait that the server asks for.
pub fn come_back(answer: Answer, after: Duration) -> Answer {
    answer.map_err(|Failed(class)| Failed(class.retry_after(after)))
}

/// A downstream, and what its server answers in turn; then it is broken for good.
pub struct Dependency<'d> {
    downstream: &'d Downstream,
    answers: RefCell<VecDeque<Answer>>,
    /// How long the next answers take.
    takes: RefCell<VecDeque<Duration>>,
    calls: Cell<usize>,
}

/// How one call went.
#[derive(Debug)]
pub struct Course {
    /// Of each retry: the tokens that were left when it began, and the seconds waited for it.
    pub retries: Vec<(f64, f64)>,
    pub result: Result<(), Error<Failed>>,
    /// From the end of the last attempt to the end of the call.
    pub idle: Duration,
    /// The tokens that are left after the call.
    pub left: f64,
}

impl<'d> Dependency<'d> {
    pub fn that_answers(
        downstream: &'d Downstream,
        answers: impl IntoIterator<Item = Answer>,
    ) -> Self {
        let answers = RefCell::new(answers.into_iter().collect());
        Self { downstream, answers, takes: RefCell::default(), calls: Cell::default() }
    }

    /// The first answers take so long, and the others no time.
    pub fn slow_at_first(self, takes: impl IntoIterator<Item = Duration>) -> Self {
        self.takes.borrow_mut().extend(takes);
        self
    }

    /// How many attempts it has seen.
    pub fn count(&self) -> usize {
        self.calls.get()
    }

    async fn answer(&self) -> Answer {
        self.calls.update(|calls| calls + 1);
        let answer = self.answers.borrow_mut().pop_front().unwrap_or(BROKEN);
        let takes = self.takes.borrow_mut().pop_front();
        if let Some(takes) = takes {
            sleep(takes).await;
        }
        answer
    }

    pub async fn call(&self, policy: Policy) -> Course {
        let attempts = RefCell::new(Vec::new());
        let result = unchecked::run(policy, self.downstream, None, async || {
            attempts.borrow_mut().push((self.downstream.retry_tokens(), Instant::now()));
            self.answer().await
        })
        .await;
        let attempts = attempts.into_inner();
        let waits = attempts.windows(2).map(|pair| (pair[1].0, pair[1].1 - pair[0].1));
        Course {
            retries: waits.map(|(tokens, wait)| (tokens, wait.as_secs_f64())).collect(),
            idle: attempts.last().map_or(Duration::ZERO, |(_, begun)| begun.elapsed()),
            left: self.downstream.retry_tokens(),
            result,
        }
    }
}

/// One call to a server that gives these answers.
pub async fn call(
    policy: Policy,
    downstream: &Downstream,
    answers: impl IntoIterator<Item = Answer>,
) -> Course {
    Dependency::that_answers(downstream, answers).call(policy).await
}

impl Course {
    pub fn attempts(&self) -> usize {
        self.retries.len() + 1
    }

    pub fn reason(&self) -> Option<Reason> {
        self.result.as_ref().err().map(Error::reason)
    }

    pub fn waits(&self) -> Vec<f64> {
        self.retries.iter().map(|(_, wait)| *wait).collect()
    }

    /// A row of a table: tokens and seconds of each retry, why it stopped if it did not succeed,
    /// and the tokens at the end.
    #[track_caller]
    pub fn is(&self, retries: &[(f64, f64)], stopped: Option<Reason>, left: f64) {
        assert_eq!(self.retries, retries);
        assert_eq!((self.reason(), self.left), (stopped, left));
        assert_eq!(self.idle, Duration::ZERO, "nothing is waited for after the last attempt");
    }
}
