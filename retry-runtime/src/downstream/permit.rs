//! Leave for one attempt, and what it says when it is given back.

use super::Downstream;
use super::circuit::{Generation, Verdict};
use crate::environment::{Environment, Live};
use crate::error::Reason;
use std::time::Duration;
use tokio::time::Instant;

/// One attempt that was let through. It is given back in every case: with a verdict, or, when it is
/// dropped, with none.
#[derive(Debug)]
pub(crate) struct Permit<'d> {
    downstream: &'d Downstream,
    admitted: Option<Generation>,
    panicked: bool,
}

/// An attempt that was not let through, why, and how long to stay away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: Reason,
    pub(crate) come_back_in: Duration,
}

impl<'d> Permit<'d> {
    pub(super) fn ask(
        downstream: &'d Downstream,
        now: Instant,
        environment: &impl Environment,
    ) -> Result<Self, Refusal> {
        let admitted = match &downstream.circuit {
            None => None,
            Some(circuit) => {
                let now = || downstream.clock.millis(now);
                let refused = |come_back_in| Refusal { reason: Reason::CircuitOpen, come_back_in };
                Some(circuit.admit(now, || environment.draw()).map_err(refused)?)
            }
        };
        Ok(Self { downstream, admitted, panicked: false })
    }

    /// How the attempt went.
    pub(crate) fn report(mut self, verdict: Verdict, environment: &impl Environment) {
        self.give_back(verdict, environment);
    }

    /// The body of the attempt panics right now.
    pub(crate) fn panicked(&mut self) {
        self.panicked = true;
    }

    fn give_back(&mut self, verdict: Verdict, environment: &impl Environment) {
        let (Some(circuit), Some(admitted)) = (&self.downstream.circuit, self.admitted.take())
        else {
            return;
        };
        let now = || self.downstream.clock.millis_up(environment.now());
        circuit.report(admitted, verdict, now, || environment.draw());
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.give_back(if self.panicked { Verdict::Failure } else { Verdict::Neutral }, &Live);
    }
}
