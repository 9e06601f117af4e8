//! Storms: many callers and one dependency in virtual time, to see what a policy does to a
//! downstream that fails.
//!
//! A simulation makes no call and takes no time. Its clients are moved by the state machine that
//! moves real calls, with the decision, the retry budget and the circuit breaker of real calls: what
//! it shows is what a program does that is annotated with the same policy. Only time, chance and the
//! far side are made up. A [`Server`] has a capacity, a queue and a [`Fault`]; [`Arrivals`] say when
//! calls begin; the [`Report`] says what came of it. One seed gives the same figures every time.
//!
//! Beside storms stands [`Contention`], where nothing is down and clients are in each other's way.
//!
//! Time is exact: unlike tokio's timer, a simulated wait ends on the nanosecond.
//!
//! ```
//! use std::time::Duration;
//! use retry_runtime::storm::{Arrivals, Fault, Server, ServiceTime, Storm};
//! use retry_runtime::{Budget, Downstream, Policy, Reason};
//!
//! const POLICY: Policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(1))
//!     .max_attempts(3)
//!     .deadline(Duration::from_secs(5));
//!
//! // A group of 40 calls fails together. A fifth of them may be sent again, and no more.
//! let outage = Fault::between(Duration::ZERO, Duration::from_millis(300));
//! let server = Server::new(ServiceTime::constant(Duration::from_millis(8))).fault(outage);
//! let storm = Storm::new(POLICY, server).clients(40).arrivals(Arrivals::at_once());
//! let report = storm.run(|| Downstream::new("leaf").budget(Budget::ratio(0.2)))?;
//! assert_eq!(report.sends, 48);
//! assert_eq!(report.failures_by(Reason::BudgetExhausted), 40);
//! assert_eq!(report.recovery_tail, 0);
//!
//! // The same without jitter, and with a budget that never ends: all come back at the same
//! // instant, and again when the fault is over.
//! let lockstep = Storm::new(POLICY.jitter(retry_runtime::Jitter::None), server).clients(40);
//! let report = lockstep.run(|| Downstream::new("leaf").budget(retry_runtime::storm::NO_BUDGET))?;
//! assert_eq!((report.sends, report.peak_retries, report.recovery_tail), (120, 40, 40));
//! # Ok::<(), retry_runtime::storm::StormError>(())
//! ```

mod agenda;
mod arrivals;
mod contention;
mod engine;
mod error;
mod fault;
mod places;
mod report;
mod request;
mod server;
mod serving;
mod simulated;
mod tally;

pub use arrivals::Arrivals;
pub use contention::{Contended, Contention};
pub use engine::Reached;
pub use error::StormError;
pub use fault::Fault;
pub use report::{Bin, Report, Sent};
pub use server::{Server, ServiceTime};

use crate::call::Call;
use crate::downstream::{Budget, Downstream};
use crate::policy::{Policy, Rules};
use engine::Engine;
use simulated::Simulated;
use std::ops::ControlFlow;
use std::time::Duration;

/// A budget that no storm uses up, to show what happens without one.
///
/// A policy without a budget cannot be written: this one gives every call one retry and four
/// thousand million a second on top.
pub const NO_BUDGET: Budget = Budget::ratio(1.0).per_second(u32::MAX);

/// More layers than that are no service anybody runs, and no tree that anybody can count.
const MOST_LAYERS: u32 = 8;

/// A storm: who calls, by which policy, and what answers.
///
/// | setting | default |
/// |---|---|
/// | [`clients`](Self::clients) | 100 |
/// | [`arrivals`](Self::arrivals) | [`Arrivals::at_once`] |
/// | [`layers`](Self::layers) | 1 |
/// | [`every_layer_retries`](Self::every_layer_retries) | no: the outermost layer owns the retries |
/// | [`innermost`](Self::innermost) | the policy of all layers |
/// | [`downstream_each`](Self::downstream_each) | no: all clients share one |
/// | [`bins`](Self::bins) | 10 ms |
/// | [`keep_sends`](Self::keep_sends) | no |
/// | [`seed`](Self::seed) | 0 |
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Storm {
    policy: Policy,
    server: Server,
    clients: u32,
    arrivals: Arrivals,
    layers: u32,
    every_layer_retries: bool,
    innermost: Option<Policy>,
    downstream_each: bool,
    bins: Duration,
    keep_sends: bool,
    seed: u64,
}

impl Storm {
    /// A hundred clients that call this server by this policy, all at the same instant.
    pub const fn new(policy: Policy, server: Server) -> Self {
        Self {
            policy,
            server,
            clients: 100,
            arrivals: Arrivals::at_once(),
            layers: 1,
            every_layer_retries: false,
            innermost: None,
            downstream_each: false,
            bins: Duration::from_millis(10),
            keep_sends: false,
            seed: 0,
        }
    }

    /// How many clients there are, at least 1.
    pub const fn clients(mut self, clients: u32) -> Self {
        self.clients = clients;
        self
    }

    /// When their calls begin.
    pub const fn arrivals(mut self, arrivals: Arrivals) -> Self {
        self.arrivals = arrivals;
        self
    }

    /// How many layers of calls there are, one inside the other, from 1 to 8; the innermost calls
    /// the server. All of them have the same policy, unless the innermost has one of its own.
    pub const fn layers(mut self, layers: u32) -> Self {
        self.layers = layers;
        self
    }

    /// The layers do not know of each other: each retries what the one below has given up, as
    /// services do that hand on nothing of a [`Scope`](crate::Scope). This is what not to do.
    pub const fn every_layer_retries(mut self) -> Self {
        self.every_layer_retries = true;
        self
    }

    /// The innermost layer, which calls the server, has a policy of its own. An attempt timeout, for
    /// one, fits one request to the server and not the whole call of a layer further out.
    pub const fn innermost(mut self, policy: Policy) -> Self {
        self.innermost = Some(policy);
        self
    }

    /// Each client has a downstream of its own, and so a budget and a breaker: a process each. A
    /// million of them take 1.4 GB, where a million calls side by side take 0.3 GB.
    pub const fn downstream_each(mut self) -> Self {
        self.downstream_each = true;
        self
    }

    /// How wide the bins of the report are.
    pub const fn bins(mut self, width: Duration) -> Self {
        self.bins = width;
        self
    }

    /// Keeps every send in the report, 32 bytes each.
    pub const fn keep_sends(mut self) -> Self {
        self.keep_sends = true;
        self
    }

    /// What all chance of the simulation comes from.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Simulates it until the last call has ended. `downstream` makes the state that clients share,
    /// one for each layer, or one for each layer of each client.
    ///
    /// # Errors
    ///
    /// [`StormError`] when a setting is refused, or when a limit of the downstream makes calls wait.
    pub fn run(&self, downstream: impl Fn() -> Downstream) -> Result<Report, StormError> {
        self.run_watched(downstream, |_| ControlFlow::Continue(()))
    }

    /// The same, for long simulations: at the beginning, and again after every 16,384 steps, which
    /// take some hundredths of a second, `watch` is told how far it is and may break it off.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and [`StormError::BrokenOff`].
    pub fn run_watched(
        &self,
        downstream: impl Fn() -> Downstream,
        watch: impl FnMut(Reached) -> ControlFlow<()>,
    ) -> Result<Report, StormError> {
        self.check()?;
        let rules = Rules::idempotent(self.policy);
        let innermost = Rules::idempotent(self.innermost.unwrap_or(self.policy));
        let calls = [Call::new("storm", rules), Call::new("storm", innermost)];
        let each = if self.downstream_each { self.clients } else { 1 };
        let downstreams: Vec<_> =
            (0..u64::from(each) * u64::from(self.layers)).map(|_| downstream()).collect();
        let environment = Simulated::new(self.seed);
        Engine::new(self, &calls, &downstreams, &environment).run(watch)
    }
}
