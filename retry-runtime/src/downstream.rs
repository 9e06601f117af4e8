//! One dependency, and the state that all calls to it share.

mod atom;
mod breaker;
mod budget;
mod circuit;
mod clock;
mod held;
mod latency;
mod ledger;
mod limit;
mod many;
#[cfg(test)]
mod model;
mod pay;
mod permit;
mod recent;
mod room;
#[cfg(test)]
mod stress;

pub use breaker::{Breaker, BreakerError};
pub use budget::{Budget, BudgetError};
pub(crate) use budget::{Cause, Outcome};
pub(crate) use circuit::{Admitted, Verdict};
pub use limit::{ConcurrencyLimit, LimitError, RateLimit};
pub use many::Downstreams;
pub(crate) use permit::{NotNow, Permit, Refusal};

use crate::observe::{Observer, Watcher};
use crate::policy::AdaptiveTimeout;
use crate::time::{Span, Time};
use circuit::Circuit;
use clock::Clock;
use latency::Latency;
use ledger::Ledger;
use recent::Recent;
use room::Rooms;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::Instant;

/// One dependency and what all calls to it share, most of all the retry budget.
///
/// Make it a `static` and name it in the attribute: `downstream = PAYMENTS`. A call without one has
/// a downstream of its own function, so there is no retry without a budget.
///
/// ```
/// use retry_runtime::{Budget, Downstream};
///
/// static PAYMENTS: Downstream =
///     Downstream::new("payments").budget(Budget::ratio(0.1).per_second(5));
/// assert_eq!(PAYMENTS.name(), "payments");
/// assert_eq!(PAYMENTS.retry_tokens(), 5.0);
/// ```
#[derive(Debug)]
pub struct Downstream {
    name: Cow<'static, str>,
    clock: Clock,
    retries: Ledger,
    recent: Recent,
    /// Closed for ever where there is no breaker.
    circuit: Circuit,
    has_breaker: bool,
    rooms: Rooms,
    /// Large, and there only once an adaptive timeout asks.
    latency: OnceLock<Box<Latency>>,
    parent: Option<&'static Downstream>,
    observer: Watcher,
    hashed_keys: bool,
    /// No limit, no parent, no breaker that counts successes, and no observer: while all is well
    /// nothing has to be written down, and nobody told, when an attempt starts or succeeds.
    is_plain: bool,
}

impl Downstream {
    /// A dependency with the default budget, [`Budget::DEFAULT`].
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self::with(Cow::Borrowed(name))
    }

    /// The same with a name that is made at run time.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self::with(Cow::Owned(name.into()))
    }

    const fn with(name: Cow<'static, str>) -> Self {
        Self {
            name,
            clock: Clock::new(),
            recent: Recent::new(),
            retries: Ledger::new(Budget::DEFAULT),
            circuit: Circuit::closed(),
            has_breaker: false,
            rooms: Rooms::new(),
            latency: OnceLock::new(),
            parent: None,
            observer: Watcher(None),
            hashed_keys: false,
            is_plain: true,
        }
    }

    const fn with_its_shape(mut self) -> Self {
        let counts = self.has_breaker && self.circuit.counts_successes();
        let is_alone = self.rooms.are_none() && self.parent.is_none();
        self.is_plain = is_alone && !counts && self.observer.0.is_none();
        self
    }

    /// The same with this budget.
    ///
    /// # Panics
    ///
    /// When the budget's ratio is refused, which in a `static` is a compile error. For numbers that
    /// are known only at run time there is [`try_budget`](Self::try_budget).
    #[must_use]
    #[track_caller]
    pub const fn budget(mut self, budget: Budget) -> Self {
        if let Err(error) = budget.check() {
            panic!("{}", error.text().as_str());
        }
        self.retries.set(budget);
        self
    }

    /// The same with this budget, for numbers that are known only at run time.
    ///
    /// # Errors
    ///
    /// [`BudgetError`] when the budget's ratio is refused.
    pub fn try_budget(mut self, budget: Budget) -> Result<Self, BudgetError> {
        budget.check()?;
        self.retries.set(budget);
        Ok(self)
    }

    /// The same with a circuit breaker of these settings.
    ///
    /// # Panics
    ///
    /// When a setting is refused, which in a `static` is a compile error. For numbers that are known
    /// only at run time there is [`try_breaker`](Self::try_breaker).
    #[must_use]
    #[track_caller]
    pub const fn breaker(mut self, breaker: Breaker) -> Self {
        if let Err(error) = breaker.check() {
            panic!("{}", error.text().as_str());
        }
        self.circuit = Circuit::new(breaker);
        self.has_breaker = true;
        self.with_its_shape()
    }

    /// The same with a circuit breaker, for numbers that are known only at run time.
    ///
    /// # Errors
    ///
    /// [`BreakerError`] when a setting is refused.
    pub fn try_breaker(mut self, breaker: Breaker) -> Result<Self, BreakerError> {
        breaker.check()?;
        self.circuit = Circuit::new(breaker);
        self.has_breaker = true;
        Ok(self.with_its_shape())
    }

    /// The same with a limit on the attempts per second.
    ///
    /// # Panics
    ///
    /// When a number is zero, which in a `static` is a compile error; see
    /// [`try_rate_limit`](Self::try_rate_limit).
    #[must_use]
    #[track_caller]
    pub const fn rate_limit(mut self, limit: RateLimit) -> Self {
        if let Err(error) = limit.check() {
            panic!("{}", error.text().as_str());
        }
        self.rooms.limit_rate(limit);
        self.with_its_shape()
    }

    /// The same with a limit on the attempts per second, for numbers that are known only at run time.
    ///
    /// # Errors
    ///
    /// [`LimitError`] when a number is zero.
    pub fn try_rate_limit(mut self, limit: RateLimit) -> Result<Self, LimitError> {
        limit.check()?;
        self.rooms.limit_rate(limit);
        Ok(self.with_its_shape())
    }

    /// The same with a limit on the attempts that run side by side.
    ///
    /// # Panics
    ///
    /// When the number is refused, which in a `static` is a compile error; see
    /// [`try_concurrency_limit`](Self::try_concurrency_limit).
    #[must_use]
    #[track_caller]
    pub const fn concurrency_limit(mut self, limit: ConcurrencyLimit) -> Self {
        if let Err(error) = limit.check() {
            panic!("{}", error.text().as_str());
        }
        self.rooms.limit_places(limit);
        self.with_its_shape()
    }

    /// The same with a limit on the attempts that run side by side, for a number that is known only
    /// at run time.
    ///
    /// # Errors
    ///
    /// [`LimitError`] when the number is refused.
    pub fn try_concurrency_limit(mut self, limit: ConcurrencyLimit) -> Result<Self, LimitError> {
        limit.check()?;
        self.rooms.limit_places(limit);
        Ok(self.with_its_shape())
    }

    /// The same as one of several that share something, such as devices behind one network.
    ///
    /// The parent's budget, breaker and limits hold as well as its own. A parent of the parent has
    /// no say.
    #[must_use]
    pub const fn parent(mut self, parent: &'static Downstream) -> Self {
        self.parent = Some(parent);
        self.with_its_shape()
    }

    /// The same with an observer of all calls to it, beside the one of the process.
    #[must_use]
    pub const fn observer(mut self, observer: &'static dyn Observer) -> Self {
        self.observer = Watcher(Some(observer));
        self.with_its_shape()
    }

    /// The same with a hash in place of the idempotency key in all events; see
    /// [`EventKey`](crate::observe::EventKey).
    #[must_use]
    pub const fn hashed_keys(mut self) -> Self {
        self.hashed_keys = true;
        self
    }

    /// The name, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many retries the budget held when it was last asked or paid into.
    #[must_use]
    pub fn retry_tokens(&self) -> f64 {
        self.retries.tokens()
    }

    /// The state of the circuit breaker: `closed`, `open`, `half-open` or `recovering`; `closed`
    /// where there is none.
    #[must_use]
    pub fn breaker_state(&self) -> &'static str {
        self.circuit.state()
    }

    pub(crate) fn own_observer(&self) -> Option<&'static dyn Observer> {
        self.observer.0
    }

    pub(crate) fn hashes_keys(&self) -> bool {
        self.hashed_keys
    }

    /// How long one attempt may last under an adaptive timeout; none while too little is known.
    pub(crate) fn adapted_timeout(
        &self,
        adaptive: &AdaptiveTimeout,
        now: Time,
    ) -> Option<Duration> {
        let p99 = self.latency.get()?.p99(adaptive.minimum_samples, self.clock.millis(now))?;
        Some(adaptive.at(p99))
    }

    /// Remembers what an observed attempt was adapted to. Gives what the one before it was.
    pub(crate) fn observe_timeout(&self, adapted: Option<Duration>) -> Option<Duration> {
        self.latency().observe(adapted)
    }

    fn latency(&self) -> &Latency {
        self.latency.get_or_init(Box::default)
    }

    /// An attempt under an adaptive timeout has succeeded.
    pub(crate) fn note_success(&self, took: Duration, now: Time) {
        self.latency().succeeded(took, self.clock.millis(now));
    }

    /// An attempt was cut by its adaptive timeout.
    pub(crate) fn note_cut(&self, now: Time) {
        self.latency().cut(self.clock.millis(now));
    }

    /// How long the breakers, this one's and the parent's, let nobody through.
    #[inline]
    pub(crate) fn open_for(&self, now: Time) -> Span {
        let open = |downstream: &Self| downstream.circuit.open_for(|| downstream.clock.millis(now));
        let millis = open(self).max(self.parent.map_or(0, open));
        Span::of_millis(millis)
    }

    /// Lets an attempt start where nobody has to be asked or told. Says whether it does.
    #[inline]
    pub(crate) fn admit_quietly(&self, admitted: &mut Admitted) -> bool {
        self.is_plain && self.circuit.admit_at_rest(admitted)
    }

    /// Whether a success, at this time, of an attempt that was admitted quietly is nothing that has
    /// to be written down.
    #[inline]
    pub(crate) fn is_at_rest(&self, now: Instant) -> bool {
        self.circuit.is_at_rest() && self.retries.is_full() && self.recent.was_lately(now)
    }
}

/// What `downstream = ...` accepts: a [`Downstream`], or something that points to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a downstream, so nothing says whose retry budget pays",
    label = "expected a `Downstream`, or a reference or an `Arc` of one",
    note = "make one for each dependency: `static PAYMENTS: Downstream = Downstream::new(\"payments\");`"
)]
pub trait AsDownstream {
    /// The downstream itself.
    fn as_downstream(&self) -> &Downstream;
}

impl AsDownstream for Downstream {
    fn as_downstream(&self) -> &Downstream {
        self
    }
}

impl<D: AsDownstream + ?Sized> AsDownstream for &D {
    fn as_downstream(&self) -> &Downstream {
        (**self).as_downstream()
    }
}

impl<D: AsDownstream + ?Sized> AsDownstream for Arc<D> {
    fn as_downstream(&self) -> &Downstream {
        (**self).as_downstream()
    }
}

impl<D: AsDownstream + ?Sized> AsDownstream for Box<D> {
    fn as_downstream(&self) -> &Downstream {
        (**self).as_downstream()
    }
}
