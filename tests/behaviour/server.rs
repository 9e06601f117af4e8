//! A downstream that answers by a script, and keeps the instants of its calls.

use retry_runtime::{Classify, Stopped};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// An HTTP-like failure.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Classify)]
pub enum Failure {
    #[error("status {0}")]
    #[classify(throttled, when = *_0 == 429)]
    #[classify(transient, when = *_0 >= 500 || *_0 == 408 || *_0 == 425)]
    #[classify(permanent, refused)]
    Status(u16),
    #[error("status 503, come back in {wait:?}")]
    #[classify(throttled, retry_after = wait)]
    ComeBack { wait: Option<Duration> },
    #[error("connection refused")]
    #[classify(transient, not_sent)]
    Refused,
    #[error("the body cannot be sent again")]
    #[classify(permanent, not_sent)]
    NotReplayable,
    #[error(transparent)]
    #[classify(stopped)]
    Stopped(Stopped),
}

pub type Answer = Result<u32, Failure>;

pub const UNAVAILABLE: Answer = Err(Failure::Status(503));

pub struct Server {
    start: Instant,
    takes: Duration,
    answers: RefCell<VecDeque<Answer>>,
    rest: Answer,
    calls: RefCell<Vec<Duration>>,
}

impl Server {
    /// Answers these in turn, then 503, each at once. Its clock starts now.
    pub fn that_answers(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            start: Instant::now(),
            takes: Duration::ZERO,
            answers: RefCell::new(answers.into_iter().collect()),
            rest: UNAVAILABLE,
            calls: RefCell::default(),
        }
    }

    pub fn that_fails() -> Self {
        Self::that_answers([])
    }

    pub fn after(mut self, takes: Duration) -> Self {
        self.takes = takes;
        self
    }

    pub fn then(mut self, rest: Answer) -> Self {
        self.rest = rest;
        self
    }

    pub async fn get(&self) -> Answer {
        self.calls.borrow_mut().push(self.start.elapsed());
        let answer = self.answers.borrow_mut().pop_front().unwrap_or_else(|| self.rest.clone());
        if !self.takes.is_zero() {
            sleep(self.takes).await;
        }
        answer
    }

    /// When calls came in, in seconds.
    pub fn calls(&self) -> Vec<f64> {
        self.calls.borrow().iter().map(Duration::as_secs_f64).collect()
    }

    pub fn count(&self) -> usize {
        self.calls.borrow().len()
    }

    /// Seconds since the clock of the server started.
    pub fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

pub const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const DAY: Duration = secs(86_400);
