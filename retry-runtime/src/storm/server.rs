//! The far side: how fast it answers, how much it takes, and when it fails.

use super::fault::Fault;
use super::simulated::Simulated;
use std::time::Duration;

/// How long a failure takes that costs the server no work.
pub(super) const FAST_FAILURE: Duration = Duration::from_millis(5);

/// What answers the requests of a storm: a service time, a capacity, a queue and a fault.
///
/// Requests beyond the capacity wait in a queue, first come first served. A request that finds the
/// queue full is refused after 5 ms, as throttled. The server does not notice that a caller has gone
/// away: it does the work all the same, as most servers do.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::storm::{Fault, Server, ServiceTime};
///
/// // 50 requests at once, 8 ms each on average, 200 may wait; down for ten seconds.
/// let server = Server::new(ServiceTime::exponential(Duration::from_millis(8)))
///     .capacity(50)
///     .queue(200)
///     .fault(Fault::between(Duration::from_secs(10), Duration::from_secs(20)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Server {
    pub(super) service: ServiceTime,
    pub(super) capacity: Option<u32>,
    pub(super) queue: Option<u32>,
    pub(super) fault: Option<Fault>,
}

/// How long a server works on one request.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct ServiceTime(Distribution);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Distribution {
    Constant(Duration),
    Exponential(Duration),
}

impl Server {
    /// One that serves any number of requests at once and never fails.
    pub const fn new(service: ServiceTime) -> Self {
        Self { service, capacity: None, queue: None, fault: None }
    }

    /// How many requests it serves at once, at least 1; without this, any number.
    pub const fn capacity(mut self, requests: u32) -> Self {
        self.capacity = Some(requests);
        self
    }

    /// How many requests may wait; without this, any number, and answers come ever later.
    pub const fn queue(mut self, requests: u32) -> Self {
        self.queue = Some(requests);
        self
    }

    /// When and how it fails.
    pub const fn fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }
}

impl ServiceTime {
    /// Always the same.
    pub const fn constant(time: Duration) -> Self {
        Self(Distribution::Constant(time))
    }

    /// Distributed exponentially, with a long right tail: the 99th percentile is 4.6 times the mean.
    pub const fn exponential(mean: Duration) -> Self {
        Self(Distribution::Exponential(mean))
    }

    pub(super) fn draw(self, environment: &Simulated) -> Duration {
        match self.0 {
            Distribution::Constant(time) => time,
            Distribution::Exponential(mean) => environment.exponential(mean),
        }
    }
}
