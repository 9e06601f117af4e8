//! Leave for one attempt, and what it says when it is given back.

use super::Downstream;
use super::budget::{Cause, Outcome};
use super::circuit::{Admitted, Generation, Verdict};
use super::room::no_place;
use crate::environment::{Environment, Live};
use crate::error::Reason;
use crate::observe::{BreakerState, Event, Witness};
use crate::time::{Now, Time};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// What a call holds of its downstream, and of the parent of that: at first nothing, and nothing
/// again when it is given back with a verdict, or dropped, with none.
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
    /// The next retry, paid for and not yet started.
    reserved: Option<Cause>,
    /// What the attempt that runs was paid for, if it is a retry.
    paid: Option<Cause>,
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
    /// That of an attempt which [`Downstream::admit_quietly`] has let through.
    pub(crate) fn admitted(downstream: &'d Downstream, admitted: Admitted) -> Self {
        Self { own: downstream.let_through(admitted), ..Self::none(downstream) }
    }

    pub(crate) const fn none(downstream: &'d Downstream) -> Self {
        Self {
            downstream,
            own: None,
            parent: None,
            own_place: false,
            parent_place: false,
            panicked: false,
            reserved: None,
            paid: None,
        }
    }

    #[inline]
    pub(crate) const fn downstream(&self) -> &'d Downstream {
        self.downstream
    }

    /// Lets an attempt start, or not. The witness, here and below, is that of an observed call.
    #[inline]
    pub(crate) fn ask(
        &mut self,
        now: Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<(), NotNow> {
        let mut admitted = Admitted::NOTHING;
        if self.downstream.admit_quietly(&mut admitted) {
            self.own = self.downstream.let_through(admitted);
            return Ok(());
        }
        self.ask_aloud(now, environment, witness)
    }

    #[inline(never)]
    fn ask_aloud(
        &mut self,
        now: Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<(), NotNow> {
        self.enter(now)?;
        self.pass(now, environment, witness).map_err(NotNow::Refused)
    }

    /// Takes room if there is some.
    fn enter(&mut self, now: Now) -> Result<(), NotNow> {
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
        now: Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<(), Refusal> {
        let passed = self.pass_both(now, environment, witness);
        if passed.is_err() {
            self.report(Verdict::Neutral, || now, environment, witness);
        }
        passed
    }

    #[inline]
    fn pass_both(
        &mut self,
        now: Now,
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
        deadline: Option<Instant>,
    ) -> Result<Self, Refusal> {
        let mut permit = Self::none(downstream);
        wait(downstream, deadline, &mut permit.own_place).await?;
        if let Some(parent) = downstream.parent {
            wait(parent, deadline, &mut permit.parent_place).await?;
        }
        Ok(permit)
    }

    /// Takes over the room that was waited for.
    pub(crate) fn take_room(&mut self, mut room: Self) {
        self.own_place = std::mem::take(&mut room.own_place);
        self.parent_place = std::mem::take(&mut room.parent_place);
    }

    /// Pays for a retry, if it can be paid.
    #[inline]
    pub(crate) fn reserve(&mut self, cause: Cause) -> bool {
        let taken = self.downstream.take_retry(cause);
        if taken {
            self.reserved = Some(cause);
        }
        taken
    }

    /// The attempt starts now: what was reserved for it is spent.
    #[inline]
    pub(crate) fn spend(&mut self) {
        self.paid = self.reserved.take();
    }

    /// An attempt has ended; see [`Budget`](super::Budget) for what that changes.
    #[inline]
    pub(crate) fn settle(&self, first: bool, outcome: Outcome, now: impl Fn() -> Instant) {
        self.downstream.settle(first, outcome, self.paid, now);
    }

    /// How the attempt went. Gives everything back but what is reserved for the next. The clock is
    /// asked only where the time matters.
    #[inline]
    pub(crate) fn report(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        self.downstream.report(self.own.take(), verdict, &now, environment, witness);
        if !self.downstream.is_plain {
            self.report_to_parent(verdict, now, environment, witness);
            self.leave();
        }
    }

    fn report_to_parent(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        if let Some(parent) = self.downstream.parent {
            parent.report(self.parent.take(), verdict, &now, environment, witness);
        }
    }

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
    #[cold]
    pub(crate) fn give_up(&mut self, environment: &impl Environment, witness: Option<Witness<'_>>) {
        if let Some(cause) = self.reserved.take() {
            self.downstream.give_back_retry(cause);
        }
        let verdict = if self.panicked { Verdict::Failure } else { Verdict::Neutral };
        self.report(verdict, || Now::of(environment.now()), environment, witness);
    }

    /// Gives back what it holds, if that is anything.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        if !self.holds_nothing() {
            self.give_up(&Live, None);
        }
    }

    #[inline]
    fn holds_nothing(&self) -> bool {
        let passed = self.own.is_some() | self.parent.is_some();
        !(passed | self.own_place | self.parent_place | self.reserved.is_some())
    }
}

impl Drop for Permit<'_> {
    #[inline]
    fn drop(&mut self) {
        self.let_go();
    }
}

/// `held` is set as soon as there is a place, so that it is given back whatever comes then.
async fn wait(
    downstream: &Downstream,
    deadline: Option<Instant>,
    held: &mut bool,
) -> Result<(), Refusal> {
    let place = downstream.rooms.wait_for_place();
    *held = match deadline {
        Some(deadline) => timeout_at(deadline, place).await.map_err(|_| no_place())??,
        None => place.await?,
    };
    let now = Instant::now();
    let left = deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(now));
    // A turn that comes at the deadline comes too late.
    let most = left.saturating_sub(crate::decide::TIMER_SLACK);
    let turn = downstream.rooms.take_turn(downstream.clock.nanos(Time::of(now)), most)?;
    if !turn.is_zero() {
        sleep(turn).await;
    }
    Ok(())
}

impl Downstream {
    /// What the breaker let through; none where there is no breaker.
    #[inline]
    fn let_through(&self, admitted: Admitted) -> Option<Generation> {
        self.has_breaker.then(|| admitted.generation())
    }

    #[inline]
    fn enter(&self, now: Now) -> Result<bool, NotNow> {
        self.rooms.enter(|| self.clock.nanos(now.time))
    }

    /// What the breaker lets through; none where there is no breaker.
    #[inline]
    fn pass(
        &self,
        now: Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) -> Result<Option<Generation>, Refusal> {
        if !self.has_breaker {
            return Ok(None);
        }
        let refused = |come_back_in| Refusal { reason: Reason::CircuitOpen, come_back_in };
        let moved = |from, to| self.tell_of_move(from, to, || now, witness);
        let now = || self.clock.millis(now.time);
        self.circuit.admit(now, || environment.draw(), moved).map(Some).map_err(refused)
    }

    #[inline]
    fn report(
        &self,
        admitted: Option<Generation>,
        verdict: Verdict,
        now: impl Fn() -> Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        if let Some(admitted) = admitted {
            let millis = || self.clock.millis_up(now().time);
            let moved = |from, to| self.tell_of_move(from, to, &now, witness);
            self.circuit.report(admitted, verdict, millis, || environment.draw(), moved);
        }
    }

    #[inline]
    fn tell_of_move(
        &self,
        from: BreakerState,
        to: BreakerState,
        now: impl Fn() -> Now,
        witness: Option<Witness<'_>>,
    ) {
        if let Some(witness) = witness {
            witness.tell(now(), &Event::BreakerMoved { downstream: self.name(), from, to });
        }
    }
}
