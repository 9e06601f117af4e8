//! Leave for one attempt, and what it says when it is given back.

use super::Downstream;
use super::circuit::{Generation, Verdict};
use super::room::no_place;
use crate::deadline::Deadline;
use crate::environment::{Environment, Live};
use crate::error::Reason;
use crate::observe::{BreakerState, Event, Witness};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// What one attempt holds of its downstream, and of the parent of that: at first nothing, and
/// nothing again when it is given back with a verdict, or dropped, with none.
///
/// It is filled where it lies: to build it elsewhere and to move it would cost more than what it
/// asks.
#[derive(Debug)]
pub(crate) struct Permit<'d> {
    downstream: &'d Downstream,
    /// What the breakers let through.
    own: Option<Generation>,
    parent: Option<Generation>,
    /// Places where the attempts that run side by side are limited.
    own_place: bool,
    parent_place: bool,
    panicked: bool,
}

/// An attempt that was not let through, why, and how long to stay away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: Reason,
    pub(crate) come_back_in: Duration,
}

/// An attempt that may not start at once.
#[derive(Debug)]
pub(crate) enum NotNow {
    Refused(Refusal),
    /// A limit makes it wait for room; see [`Permit::wait`].
    Wait,
}

impl<'d> Permit<'d> {
    pub(crate) const fn none(downstream: &'d Downstream) -> Self {
        Self {
            downstream,
            own: None,
            parent: None,
            own_place: false,
            parent_place: false,
            panicked: false,
        }
    }

    pub(crate) const fn downstream(&self) -> &'d Downstream {
        self.downstream
    }

    /// Lets an attempt start, or not. The witness, here and below, is that of an observed call.
    #[inline]
    pub(crate) fn ask(
        &mut self,
        now: Instant,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<(), NotNow> {
        self.enter(now)?;
        self.pass(now, environment, witness).map_err(NotNow::Refused)
    }

    /// Takes room if there is some.
    #[inline]
    fn enter(&mut self, now: Instant) -> Result<(), NotNow> {
        self.own_place = self.downstream.enter(now)?;
        if let Some(parent) = self.downstream.parent {
            self.parent_place = parent.enter(now).inspect_err(|_| self.leave())?;
        }
        Ok(())
    }

    /// Lets an attempt start that has room.
    #[inline]
    pub(crate) fn pass(
        &mut self,
        now: Instant,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<(), Refusal> {
        let passed = self.pass_both(now, environment, witness);
        if passed.is_err() {
            self.report(Verdict::Neutral, environment, witness);
        }
        passed
    }

    #[inline]
    fn pass_both(
        &mut self,
        now: Instant,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<(), Refusal> {
        self.own = self.downstream.pass(now, environment, witness)?;
        if let Some(parent) = self.downstream.parent {
            self.parent = parent.pass(now, environment, witness)?;
        }
        Ok(())
    }

    /// Waits for room, but not beyond the deadline. First come, first served.
    pub(crate) async fn wait(
        downstream: &'d Downstream,
        deadline: Deadline,
    ) -> Result<Self, Refusal> {
        let mut permit = Self::none(downstream);
        wait(downstream, deadline, &mut permit.own_place).await?;
        if let Some(parent) = downstream.parent {
            wait(parent, deadline, &mut permit.parent_place).await?;
        }
        Ok(permit)
    }

    /// How the attempt went. Gives everything back.
    #[inline]
    pub(crate) fn report(
        &mut self,
        verdict: Verdict,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        self.downstream.report(self.own.take(), verdict, environment, witness);
        if let Some(parent) = self.downstream.parent {
            parent.report(self.parent.take(), verdict, environment, witness);
        }
        self.leave();
    }

    #[inline]
    fn leave(&mut self) {
        if std::mem::take(&mut self.own_place) {
            self.downstream.rooms.leave();
        }
        let parent_place = std::mem::take(&mut self.parent_place);
        if let (Some(parent), true) = (self.downstream.parent, parent_place) {
            parent.rooms.leave();
        }
    }

    /// The body of the attempt panics right now.
    pub(crate) fn panicked(&mut self) {
        self.panicked = true;
    }

    pub(crate) fn has_panicked(&self) -> bool {
        self.panicked
    }

    /// How the attempt went that nobody told anything about: the caller went away, or it panicked.
    #[inline]
    pub(crate) fn give_up(&mut self, environment: &impl Environment, witness: Option<Witness<'_>>) {
        let verdict = if self.panicked { Verdict::Failure } else { Verdict::Neutral };
        self.report(verdict, environment, witness);
    }
}

impl Drop for Permit<'_> {
    #[inline]
    fn drop(&mut self) {
        self.give_up(&Live, None);
    }
}

/// `held` is set as soon as there is a place, so that it is given back whatever comes then.
async fn wait(downstream: &Downstream, deadline: Deadline, held: &mut bool) -> Result<(), Refusal> {
    let place = downstream.rooms.wait_for_place();
    *held = match deadline.instant() {
        Some(deadline) => timeout_at(deadline, place).await.map_err(|_| no_place())??,
        None => place.await?,
    };
    let now = Instant::now();
    // A turn that comes at the deadline comes too late.
    let most = deadline.time_left(now).saturating_sub(crate::decide::TIMER_SLACK);
    let turn = downstream.rooms.take_turn(downstream.clock.nanos(now), most)?;
    if !turn.is_zero() {
        sleep(turn).await;
    }
    Ok(())
}

impl Downstream {
    #[inline]
    fn enter(&self, now: Instant) -> Result<bool, NotNow> {
        self.rooms.enter(|| self.clock.nanos(now))
    }

    /// What the breaker lets through; none where there is no breaker.
    #[inline]
    fn pass(
        &self,
        now: Instant,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<Option<Generation>, Refusal> {
        let Some(circuit) = &self.circuit else { return Ok(None) };
        let refused = |come_back_in| Refusal { reason: Reason::CircuitOpen, come_back_in };
        let moved = |from, to| self.tell_of_move(from, to, now, witness);
        let now = || self.clock.millis(now);
        circuit.admit(now, || environment.draw(), moved).map(Some).map_err(refused)
    }

    #[inline]
    fn report(
        &self,
        admitted: Option<Generation>,
        verdict: Verdict,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        if let (Some(circuit), Some(admitted)) = (&self.circuit, admitted) {
            let now = || self.clock.millis_up(environment.now());
            let moved = |from, to| self.tell_of_move(from, to, environment.now(), witness);
            circuit.report(admitted, verdict, now, || environment.draw(), moved);
        }
    }

    fn tell_of_move(
        &self,
        from: BreakerState,
        to: BreakerState,
        now: Instant,
        witness: Option<Witness<'_>>,
    ) {
        if let Some(witness) = witness {
            witness.tell(now, &Event::BreakerMoved { downstream: self.name(), from, to });
        }
    }
}
