//! Contention: many clients that write one row, of which one at a time can win.

use super::agenda::Agenda;
use super::error::StormError;
use super::simulated::{Moment, Simulated};
use crate::backoff::nanos;
use crate::call::failed::Failed;
use crate::call::progress::{Progress, Start};
use crate::call::{Call, Pause};
use crate::classify::Class;
use crate::downstream::Downstream;
use crate::environment::Environment;
use crate::policy::{Policy, Rules};
use std::time::Duration;

/// Clients that all begin at the same instant to write one row by optimistic concurrency.
///
/// An attempt reads the version of the row, and writes if it is still the same; otherwise somebody
/// else was faster, and it has failed. Each of the four ways between client and row, two for the
/// read and two for the write, takes a time that is distributed normally. Nothing is broken here and
/// nobody is down: clients are in each other's way, and backoff decides how long.
///
/// The model is that of AWS's article "Exponential Backoff and Jitter" (2015). The waits are those
/// of real calls, as in a [`Storm`](super::Storm).
///
/// | setting | default |
/// |---|---|
/// | [`clients`](Self::clients) | 100 |
/// | [`way`](Self::way) | 10 ms, with a standard deviation of 2 ms |
/// | [`seed`](Self::seed) | 0 |
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::storm::{Contention, NO_BUDGET};
/// use retry_runtime::{Downstream, Jitter, Policy};
///
/// let policy = Policy::exponential(Duration::from_millis(10), Duration::from_secs(2))
///     .max_attempts(10_000)
///     .deadline(Duration::from_secs(86_400));
/// let row = || Downstream::new("row").budget(NO_BUDGET);
/// let full = Contention::new(policy).run(row)?;
/// let lockstep = Contention::new(policy.jitter(Jitter::None)).run(row)?;
/// assert_eq!((full.successes, lockstep.successes), (100, 100));
/// assert!(full.writes < lockstep.writes / 2 && full.took < lockstep.took / 5);
/// # Ok::<(), retry_runtime::storm::StormError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Contention {
    pub(super) policy: Policy,
    pub(super) clients: u32,
    way: (Duration, Duration),
    seed: u64,
}

/// What came of a [`Contention`]. The same one with the same seed has the same figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contended {
    /// Writes that reached the row, those that came too late included.
    pub writes: u64,
    /// Clients that have written.
    pub successes: u64,
    /// When the last client had its answer, or had given up.
    pub took: Duration,
}

impl Contention {
    /// A hundred clients that contend by this policy.
    ///
    /// Its attempts are not cut: a policy with an attempt timeout is refused, and the deadline is
    /// looked at between attempts.
    pub const fn new(policy: Policy) -> Self {
        let way = (Duration::from_millis(10), Duration::from_millis(2));
        Self { policy, clients: 100, way, seed: 0 }
    }

    /// How many clients there are, at least 1.
    pub const fn clients(mut self, clients: u32) -> Self {
        self.clients = clients;
        self
    }

    /// How long one way between a client and the row takes on average, and its standard deviation.
    pub const fn way(mut self, mean: Duration, deviation: Duration) -> Self {
        self.way = (mean, deviation);
        self
    }

    /// What all chance of the simulation comes from.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Simulates it until every client has written or given up. `downstream` makes what they share.
    ///
    /// # Errors
    ///
    /// [`StormError`] when a setting is refused, or when a limit of the downstream makes calls wait.
    pub fn run(&self, downstream: impl FnOnce() -> Downstream) -> Result<Contended, StormError> {
        self.check()?;
        let rules = Rules::idempotent(self.policy);
        let call = Call::new("contention", rules);
        let (downstream, environment) = (downstream(), Simulated::new(self.seed));
        Row::new(self, &call, &downstream, &environment).run()
    }
}

/// The row, its clients, and what is on its way between them.
struct Row<'d> {
    contention: &'d Contention,
    environment: &'d Simulated,
    clients: Vec<Client<'d>>,
    /// Whose turn it is.
    agenda: Agenda<usize>,
    version: u64,
    contended: Contended,
}

struct Client<'d> {
    progress: Progress<'d>,
    next: Next,
}

/// What happens next to a client.
#[derive(Clone, Copy)]
enum Next {
    Start,
    /// Its request to read reaches the row.
    Read,
    /// Its write reaches the row, for this version.
    Write(u64),
    /// It learns whether it has written.
    Answer(Result<(), Class>),
}

impl<'d> Row<'d> {
    fn new(
        contention: &'d Contention,
        call: &'d Call,
        downstream: &'d Downstream,
        environment: &'d Simulated,
    ) -> Self {
        let client = |_| Client {
            progress: Progress::begin(call, downstream, environment.now()),
            next: Next::Start,
        };
        Self {
            contention,
            environment,
            clients: (0..contention.clients).map(client).collect(),
            agenda: Agenda::new(),
            version: 0,
            contended: Contended::default(),
        }
    }

    fn run(mut self) -> Result<Contended, StormError> {
        for place in 0..self.clients.len() {
            self.agenda.enter(0, place);
        }
        while let Some((at, place)) = self.agenda.next(|_| ()) {
            self.environment.move_to(at);
            match self.step(place)? {
                Some(next) => self.agenda.enter(next, place),
                None => self.contended.took = Duration::from_nanos(at),
            }
        }
        Ok(self.contended)
    }

    /// One client goes on. Gives when it does so again, unless it has ended.
    fn step(&mut self, place: usize) -> Result<Option<Moment>, StormError> {
        let (environment, now) = (self.environment, self.environment.moment());
        let Client { progress, next } = &mut self.clients[place];
        let (then, ways) = match *next {
            Next::Start => match progress.start_attempt(environment) {
                Start::Now => (Next::Read, 1),
                Start::Wait => return Err(StormError::WaitingLimit),
                Start::Refused(_) => return Ok(None),
            },
            Next::Read => (Next::Write(self.version), 2),
            Next::Write(read) => {
                self.contended.writes += 1;
                let first = read == self.version;
                self.version += u64::from(first);
                (Next::Answer(if first { Ok(()) } else { Err(Class::TRANSIENT) }), 1)
            }
            Next::Answer(Ok(())) => {
                progress.succeed(environment);
                self.contended.successes += 1;
                return Ok(None);
            }
            Next::Answer(Err(class)) => {
                *next = Next::Start;
                let pause = progress.fail(Failed::with(class), None, environment).ok();
                let end = |pause: Pause| pause.end().map_or(now, |end| environment.moment_of(end));
                return Ok(pause.map(end));
            }
        };
        *next = then;
        Ok(Some(now.saturating_add(self.ways(ways))))
    }

    /// How long so many ways take, one after the other.
    fn ways(&self, count: u32) -> Moment {
        let (mean, deviation) = self.contention.way;
        (0..count).map(|_| nanos(self.environment.normal(mean, deviation))).sum()
    }
}
