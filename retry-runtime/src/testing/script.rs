//! A downstream that answers by a script.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A downstream that gives the answers of a script in turn, and keeps the instants of its calls.
///
/// When the answers are used up it gives the one of [`then`](Self::then), or never answers where
/// there is none: a call that asks too often is cut, and does not fail by accident.
///
/// ```
/// use retry_runtime::testing::Script;
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let server = Script::new([Err("busy"), Ok(1)]).then(Err("gone")).after(Duration::from_millis(20));
/// assert_eq!(server.answer().await, Err("busy"));
/// assert_eq!(server.answer().await, Ok(1));
/// assert_eq!(server.answer().await, Err("gone"));
/// let millis: Vec<_> = server.calls().iter().map(Duration::as_millis).collect();
/// assert_eq!(millis, [0, 20, 40]);
/// # }
/// ```
#[derive(Debug)]
pub struct Script<T, E> {
    begins: Instant,
    takes: Duration,
    rest: Option<Result<T, E>>,
    state: Mutex<State<T, E>>,
}

#[derive(Debug)]
struct State<T, E> {
    answers: VecDeque<Result<T, E>>,
    calls: Vec<Duration>,
}

impl<T: Clone, E: Clone> Script<T, E> {
    /// Gives these in turn, each at once. Its clock starts now.
    #[must_use]
    pub fn new(answers: impl IntoIterator<Item = Result<T, E>>) -> Self {
        let answers = answers.into_iter().collect();
        Self {
            begins: Instant::now(),
            takes: Duration::ZERO,
            rest: None,
            state: Mutex::new(State { answers, calls: Vec::new() }),
        }
    }

    /// The same, with this answer once the others are used up.
    #[must_use]
    pub fn then(mut self, rest: Result<T, E>) -> Self {
        self.rest = Some(rest);
        self
    }

    /// The same, with this time between a call and its answer.
    #[must_use]
    pub fn after(mut self, takes: Duration) -> Self {
        self.takes = takes;
        self
    }

    /// One call: the next answer.
    ///
    /// # Errors
    ///
    /// What the script says.
    pub async fn answer(&self) -> Result<T, E> {
        let answer = {
            let mut state = self.state();
            state.calls.push(self.begins.elapsed());
            state.answers.pop_front().or_else(|| self.rest.clone())
        };
        if !self.takes.is_zero() {
            sleep(self.takes).await;
        }
        match answer {
            Some(answer) => answer,
            None => pending().await,
        }
    }
}

impl<T, E> Script<T, E> {
    /// When calls came in, counted from the making of the script.
    #[must_use]
    pub fn calls(&self) -> Vec<Duration> {
        self.state().calls.clone()
    }

    /// How many calls came in.
    #[must_use]
    pub fn count(&self) -> usize {
        self.state().calls.len()
    }

    /// From the making of the script to now.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begins.elapsed()
    }

    /// Nothing that panics runs while it is locked.
    fn state(&self) -> MutexGuard<'_, State<T, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
