//! The record: a fault begins, and in the same moment a group of requests fails together.

use retry_runtime::storm::{Arrivals, Fault, NO_BUDGET, Server, ServiceTime, Storm};
use retry_runtime::{AdaptiveTimeout, Budget, Downstream, Jitter, Policy};
use std::time::Duration;

/// Everything that the numbers follow from; [`crate::field`] says what each may be.
///
/// The leaf fails fast inside the window, and answers after it in as long as 99 of 100 answers take.
/// The same record gives the same numbers every time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// How many layers of calls there are, one inside the other; the innermost calls the leaf.
    pub layers: u32,
    /// How many attempts a layer makes that retries, the first included.
    pub attempts: u32,
    /// The limit of the first wait.
    pub base: Duration,
    /// What the limit of a wait doubles up to.
    pub cap: Duration,
    /// How a wait is drawn below its limit.
    pub jitter: Jitter,
    /// What fraction of the calls may be retried; without one, any number.
    pub budget: Option<f64>,
    /// The 99th percentile of how long successful calls of the leaf take.
    pub p99: Duration,
    /// How many requests fail together.
    pub group: u32,
    /// How long the fault lasts; it begins with the requests.
    pub window: Duration,
    /// How long a failure takes.
    pub fast_failure: Duration,
    /// Who retries.
    pub owner: Owner,
    /// What all chance comes from.
    pub seed: u64,
}

/// Which layers retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The outermost, which holds the user's deadline. The others hand their errors up.
    One,
    /// All of them, as where nobody knows what the others do.
    Every,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            layers: 3,
            attempts: 3,
            base: Duration::from_millis(100),
            cap: Duration::from_secs(1),
            jitter: Jitter::Full,
            budget: Some(0.2),
            p99: Duration::from_millis(40),
            group: 40,
            window: Duration::from_millis(300),
            fast_failure: Duration::from_millis(5),
            owner: Owner::One,
            seed: 1,
        }
    }
}

/// No deadline cuts what a record shows: it is not among its fields.
const NO_DEADLINE: Duration = Duration::from_secs(u32::MAX as u64);

impl Record {
    /// How long an attempt to call the leaf may last: `max(20 ms, 2 x p99)`.
    #[must_use]
    pub fn attempt_timeout(&self) -> Duration {
        AdaptiveTimeout::DEFAULT.at(self.p99)
    }

    /// Attempts to the power of layers: what one request comes to where every layer retries.
    #[must_use]
    pub fn theoretical_amplification(&self) -> u64 {
        u64::from(self.attempts).saturating_pow(self.layers)
    }

    /// The most calls of the leaf that one request can make.
    #[must_use]
    pub fn most_leaf_calls(&self) -> u64 {
        match self.owner {
            Owner::One => self.attempts.into(),
            Owner::Every => self.theoretical_amplification(),
        }
    }

    /// What the budgets let the group send: `group x (1 + ratio)`, rounded, once more for each
    /// further layer that retries, since each has a budget.
    #[must_use]
    pub fn budget_cap(&self) -> Option<u64> {
        let retrying = if self.owner == Owner::One { 1 } else { self.layers };
        self.budget.map(|ratio| {
            let sends = f64::from(self.group) * (0..retrying).map(|_| 1.0 + ratio).product::<f64>();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "`as` saturates, and it is not negative"
            )]
            let sends = sends.round() as u64;
            sends
        })
    }

    /// What a person should not do, in sentences.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.owner == Owner::Every && self.layers > 1 && self.attempts > 1 {
            warnings.push(format!(
                "Every layer retries what the one below has given up: one request can make {} calls \
                 of the leaf. Let one layer own the retries, the one that holds the user's deadline.",
                self.most_leaf_calls()
            ));
        }
        if self.budget.is_none() && self.attempts > 1 {
            warnings.push(
                "Nothing limits the retries of the group but the number of attempts: a budget does."
                    .to_owned(),
            );
        }
        if self.jitter == Jitter::None && self.attempts > 1 {
            warnings.push(
                "Without jitter, everybody who failed together comes back together.".to_owned(),
            );
        }
        warnings
    }

    /// The same with waits that are not drawn, and without a budget.
    #[must_use]
    pub fn lockstep(&self) -> Self {
        Self { jitter: Jitter::None, budget: None, ..*self }
    }

    /// The group and the fault.
    pub(crate) fn storm(&self) -> Storm {
        let fault = Fault::between(Duration::ZERO, self.window).answers_after(self.fast_failure);
        self.against(fault).keep_sends()
    }

    /// One request of the group, alone.
    pub(crate) fn one_request(&self) -> Storm {
        self.storm().clients(1)
    }

    /// A group in each second, and a leaf that does not answer at all: those of one second are
    /// enough to know how many are held in flight.
    pub(crate) fn slow_storm(&self) -> Storm {
        let second = Arrivals::constant(self.group.into(), Duration::from_secs(1));
        self.against(Fault::always(1.0).silent()).arrivals(second)
    }

    fn against(&self, fault: Fault) -> Storm {
        let policy = Policy::exponential(self.base, self.cap)
            .jitter(self.jitter)
            .max_attempts(self.attempts)
            .deadline(NO_DEADLINE);
        let server = Server::new(ServiceTime::constant(self.p99)).fault(fault);
        let storm = Storm::new(policy, server)
            .innermost(policy.attempt_timeout(self.attempt_timeout()))
            .clients(self.group)
            .layers(self.layers)
            .seed(self.seed);
        match self.owner {
            Owner::One => storm,
            Owner::Every => storm.every_layer_retries(),
        }
    }

    /// What each layer shares.
    pub(crate) fn downstream(&self) -> Downstream {
        Downstream::new("leaf").budget(self.budget.map_or(NO_BUDGET, Budget::ratio))
    }
}
