//! What a simulation does not begin with, or does not end with.

use super::{Contention, MOST_LAYERS, Storm};
use crate::policy::{Allow, Policy, PolicyError};

/// Why a storm was not simulated, or not to its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StormError {
    /// A policy breaks a rule other than those on jitter and on short attempt timeouts.
    #[error(transparent)]
    Policy(Box<PolicyError>),
    /// Nobody calls.
    #[error("the storm has 0 clients, so nothing would happen: write at least 1")]
    Clients,
    /// The calls per second are no rate.
    #[error("the arrivals have no rate: write a number of calls per second above 0, such as 100.0")]
    Rate,
    /// The layers are none, or too many.
    #[error("the storm has {0} layers: write 1 to {MOST_LAYERS}, the leaf not counted")]
    Layers(u32),
    /// The server serves nothing.
    #[error("the server has a `capacity` of 0, so it would answer nothing: write at least 1")]
    Capacity,
    /// The share of requests that fail is not one.
    #[error("the fault strikes a `share` of {0} of the requests: write a number from 0 to 1")]
    Share(f64),
    /// The bins have no width.
    #[error("the bins are 0 ms wide, so they would hold nothing: write a time such as 10 ms")]
    Bins,
    /// A limit of the downstream makes attempts wait, which takes a runtime with a timer.
    #[error(
        "a limit of the downstream makes attempts wait, which a simulation cannot do: leave out \
         `waiting`"
    )]
    WaitingLimit,
    /// Contending clients do not cut their attempts.
    #[error("the attempts of clients that contend are not cut: leave out `attempt_timeout`")]
    AttemptTimeout,
    /// More calls run side by side than can be told apart.
    #[error("more than 4294967295 calls are in flight: let fewer begin, or let them end sooner")]
    InFlight,
    /// Whoever watched had seen enough.
    #[error("the simulation was broken off")]
    BrokenOff,
}

/// Judges a policy. Simulations show what those two rules prevent.
fn check(policy: Policy) -> Result<(), StormError> {
    let allowed = Allow::NONE.no_jitter().short_attempt_timeout();
    policy.check_allowing(allowed).map_err(|error| StormError::Policy(Box::new(error)))
}

impl Storm {
    /// Judges the settings, which [`run`](Self::run) does too.
    ///
    /// # Errors
    ///
    /// [`StormError`], which names the first setting that is refused.
    pub fn check(&self) -> Result<(), StormError> {
        check(self.policy)?;
        self.innermost.map_or(Ok(()), check)?;
        let share = self.server.fault.map_or(0.0, |fault| fault.share);
        if self.clients == 0 {
            Err(StormError::Clients)
        } else if !self.arrivals.is_sound() {
            Err(StormError::Rate)
        } else if self.layers == 0 || self.layers > MOST_LAYERS {
            Err(StormError::Layers(self.layers))
        } else if self.server.capacity == Some(0) {
            Err(StormError::Capacity)
        } else if !(0.0..=1.0).contains(&share) {
            Err(StormError::Share(share))
        } else if self.bins.is_zero() {
            Err(StormError::Bins)
        } else {
            Ok(())
        }
    }
}

impl Contention {
    /// Judges the settings, which [`run`](Self::run) does too.
    ///
    /// # Errors
    ///
    /// [`StormError`], which names the first setting that is refused.
    pub fn check(&self) -> Result<(), StormError> {
        check(self.policy)?;
        if self.clients == 0 {
            Err(StormError::Clients)
        } else if self.policy.longest_attempt().is_some() {
            Err(StormError::AttemptTimeout)
        } else {
            Ok(())
        }
    }
}
