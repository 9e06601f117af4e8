//! Leave for one attempt, and what it says when it is given back.

use super::Downstream;
use super::circuit::{Generation, Verdict};
use super::room::{Full, Room, no_place};
use crate::deadline::Deadline;
use crate::environment::{Environment, Live};
use crate::error::Reason;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// One attempt that was let through. It is given back in every case: with a verdict, or, when it is
/// dropped, with none.
#[derive(Debug)]
pub(crate) struct Permit<'d> {
    downstream: &'d Downstream,
    /// What its breaker let through, and that of its parent.
    own: Option<Generation>,
    parent: Option<Generation>,
    _rooms: Rooms<'d>,
    panicked: bool,
}

/// Room at a downstream and at its parent.
#[derive(Debug, Default)]
pub(crate) struct Rooms<'d> {
    _own: Room<'d>,
    _parent: Room<'d>,
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
    /// A limit makes it wait for room; see [`Rooms::wait`].
    Wait,
}

impl<'d> Rooms<'d> {
    /// Takes room if there is some.
    pub(super) fn enter(
        downstream: &'d Downstream,
        environment: &impl Environment,
    ) -> Result<Self, NotNow> {
        let own = enter(downstream, environment)?;
        let parent = match downstream.parent {
            Some(parent) => enter(parent, environment)?,
            None => Room::default(),
        };
        Ok(Self { _own: own, _parent: parent })
    }

    /// Waits for room, but not beyond the deadline. First come, first served.
    pub(crate) async fn wait(
        downstream: &'d Downstream,
        deadline: Deadline,
    ) -> Result<Self, Refusal> {
        let own = wait(downstream, deadline).await?;
        let parent = match downstream.parent {
            Some(parent) => wait(parent, deadline).await?,
            None => Room::default(),
        };
        Ok(Self { _own: own, _parent: parent })
    }
}

fn enter<'d>(
    downstream: &'d Downstream,
    environment: &impl Environment,
) -> Result<Room<'d>, NotNow> {
    let now = || downstream.clock.nanos(environment.now());
    downstream.rooms.enter(now).map_err(|full| match full {
        Full::Refused(refusal) => NotNow::Refused(refusal),
        Full::Wait => NotNow::Wait,
    })
}

async fn wait(downstream: &Downstream, deadline: Deadline) -> Result<Room<'_>, Refusal> {
    let place = downstream.rooms.wait_for_place();
    let room = match deadline.instant() {
        Some(deadline) => timeout_at(deadline, place).await.map_err(|_| no_place())?,
        None => place.await,
    };
    let now = Instant::now();
    // A turn that comes at the deadline comes too late.
    let most = deadline.time_left(now).saturating_sub(crate::decide::TIMER_SLACK);
    let turn = downstream.rooms.take_turn(downstream.clock.nanos(now), most)?;
    if !turn.is_zero() {
        sleep(turn).await;
    }
    Ok(room)
}

impl<'d> Permit<'d> {
    pub(super) fn ask(
        downstream: &'d Downstream,
        rooms: Rooms<'d>,
        now: Instant,
        environment: &impl Environment,
    ) -> Result<Self, Refusal> {
        let mut permit =
            Self { downstream, own: None, parent: None, _rooms: rooms, panicked: false };
        permit.own = downstream.pass(now, environment)?;
        if let Some(parent) = downstream.parent {
            // Where the parent refuses, dropping the permit gives the own pass back.
            permit.parent = parent.pass(now, environment)?;
        }
        Ok(permit)
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
        self.downstream.report(self.own.take(), verdict, environment);
        if let Some(parent) = self.downstream.parent {
            parent.report(self.parent.take(), verdict, environment);
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.give_back(if self.panicked { Verdict::Failure } else { Verdict::Neutral }, &Live);
    }
}

impl Downstream {
    /// What the breaker lets through; none where there is no breaker.
    fn pass(
        &self,
        now: Instant,
        environment: &impl Environment,
    ) -> Result<Option<Generation>, Refusal> {
        let Some(circuit) = &self.circuit else { return Ok(None) };
        let refused = |come_back_in| Refusal { reason: Reason::CircuitOpen, come_back_in };
        let now = || self.clock.millis(now);
        circuit.admit(now, || environment.draw()).map(Some).map_err(refused)
    }

    fn report(
        &self,
        admitted: Option<Generation>,
        verdict: Verdict,
        environment: &impl Environment,
    ) {
        if let (Some(circuit), Some(admitted)) = (&self.circuit, admitted) {
            let now = || self.clock.millis_up(environment.now());
            circuit.report(admitted, verdict, now, || environment.draw());
        }
    }
}
