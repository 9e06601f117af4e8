//! A downstream that answers by a script, and keeps the instants of its calls.

use retry_runtime::testing::Script;
use retry_runtime::{Classify, Stopped};
use std::time::Duration;

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

/// The script of a test, with its times in seconds.
pub struct Server(Script<u32, Failure>);

impl Server {
    /// Answers these in turn, then 503, each at once. Its clock starts now.
    pub fn that_answers(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self(Script::new(answers).then(UNAVAILABLE))
    }

    pub fn that_fails() -> Self {
        Self::that_answers([])
    }

    pub fn after(self, takes: Duration) -> Self {
        Self(self.0.after(takes))
    }

    pub fn then(self, rest: Answer) -> Self {
        Self(self.0.then(rest))
    }

    pub async fn get(&self) -> Answer {
        self.0.answer().await
    }

    /// When calls came in, in seconds.
    pub fn calls(&self) -> Vec<f64> {
        self.0.calls().iter().map(Duration::as_secs_f64).collect()
    }

    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Seconds since the clock of the server started.
    pub fn now(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

pub const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const DAY: Duration = secs(86_400);
