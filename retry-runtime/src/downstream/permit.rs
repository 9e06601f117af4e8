//! Leave for one attempt, and what it says when it is given back.

use super::Downstream;
use super::budget::{Cause, Outcome};
use super::circuit::{Admitted, Generation, Verdict};
use super::held::{Held, Side};
use super::room::no_place;
use crate::decide::TIMER_SLACK;
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
    held: Held,
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
        let mut permit = Self::none(downstream);
        permit.held.pass(Side::Own, downstream.let_through(admitted));
        permit
    }

    pub(crate) const fn none(downstream: &'d Downstream) -> Self {
        Self { downstream, held: Held::NOTHING }
    }

    #[inline]
    pub(crate) const fn downstream(&self) -> &'d Downstream {
        self.downstream
    }

    /// Lets an attempt start where nobody has to be asked or told. Says whether it does.
    #[inline]
    pub(crate) fn ask_quietly(&mut self) -> bool {
        let mut admitted = Admitted::NOTHING;
        let passes = self.downstream.admit_quietly(&mut admitted);
        if passes {
            self.held.pass(Side::Own, self.downstream.let_through(admitted));
        }
        passes
    }

    /// Lets an attempt start, or not. The witness, here and below, is that of an observed call.
    #[inline(never)]
    pub(crate) fn ask(
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
        self.held.set_place(Side::Own, self.downstream.enter(now)?);
        if let Some(parent) = self.downstream.parent {
            let place = parent.enter(now).inspect_err(|_| self.leave())?;
            self.held.set_place(Side::Parent, place);
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
        self.held.pass(Side::Own, self.downstream.pass(now, environment, witness)?);
        if let Some(parent) = self.downstream.parent {
            self.held.pass(Side::Parent, parent.pass(now, environment, witness)?);
        }
        Ok(())
    }

    /// Waits for room, but not beyond the deadline. First come, first served.
    pub(crate) async fn wait(
        downstream: &'d Downstream,
        deadline: Option<Instant>,
    ) -> Result<Self, Refusal> {
        let mut permit = Self::none(downstream);
        permit.wait_for(downstream, Side::Own, deadline).await?;
        if let Some(parent) = downstream.parent {
            permit.wait_for(parent, Side::Parent, deadline).await?;
        }
        Ok(permit)
    }

    /// The place is held as soon as there is one, so that it is given back whatever comes then.
    async fn wait_for(
        &mut self,
        downstream: &Downstream,
        side: Side,
        deadline: Option<Instant>,
    ) -> Result<(), Refusal> {
        self.held.set_place(side, downstream.place(deadline).await?);
        downstream.turn(deadline).await
    }

    /// Takes over the room that was waited for.
    pub(crate) fn take_room(&mut self, mut room: Self) {
        for side in [Side::Own, Side::Parent] {
            self.held.set_place(side, room.held.take_place(side));
        }
    }

    /// Pays for a retry, if it can be paid.
    #[inline]
    pub(crate) fn reserve(&mut self, cause: Cause, now: Time) -> bool {
        let taken = self.downstream.take_retry(cause, now);
        if taken {
            self.held.reserve(cause);
        }
        taken
    }

    /// The attempt starts now: what was reserved for it is spent.
    #[inline]
    pub(crate) fn spend(&mut self) {
        self.held.spend();
    }

    /// An attempt has ended; see [`Budget`](super::Budget) for what that changes.
    #[inline]
    pub(crate) fn settle(&self, first: bool, outcome: Outcome, now: impl Fn() -> Instant) {
        self.downstream.settle(first, outcome, self.held.paid(), now);
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
        if !self.report_quietly(verdict, &now) {
            self.report_aloud(verdict, now, environment, witness);
        }
    }

    /// The same where nobody has to be told. Says whether that was all; else
    /// [`Self::report_aloud`] has to follow.
    #[inline]
    pub(crate) fn report_quietly(&mut self, verdict: Verdict, now: impl Fn() -> Now) -> bool {
        let downstream = self.downstream;
        let millis = || downstream.clock.millis_up(now().time);
        let moves = |passed| downstream.circuit.count(passed, verdict, millis);
        let is_all = downstream.is_plain && !self.held.passed(Side::Own).is_some_and(moves);
        if is_all {
            self.held.take_passed(Side::Own);
        }
        is_all
    }

    /// The rest of it: a plain downstream has counted the verdict.
    #[inline(never)]
    pub(crate) fn report_aloud(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        let passed = self.held.take_passed(Side::Own);
        let is_counted = self.downstream.is_plain;
        self.downstream.report(passed, verdict, is_counted, &now, environment, witness);
        self.report_to_parent(verdict, now, environment, witness);
        self.leave();
    }

    fn report_to_parent(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        if let Some(parent) = self.downstream.parent {
            let passed = self.held.take_passed(Side::Parent);
            parent.report(passed, verdict, false, &now, environment, witness);
        }
    }

    fn leave(&mut self) {
        if self.held.take_place(Side::Own) {
            self.downstream.rooms.leave();
        }
        let has_place = self.held.take_place(Side::Parent);
        if let (Some(parent), true) = (self.downstream.parent, has_place) {
            parent.rooms.leave();
        }
    }

    /// The body of the attempt panics right now.
    pub(crate) fn panicked(&mut self) {
        self.held.panic();
    }

    pub(crate) fn has_panicked(&self) -> bool {
        self.held.has_panicked()
    }

    /// How the attempt went that nobody told anything about: the caller went away, or it panicked.
    #[cold]
    pub(crate) fn give_up(&mut self, environment: &impl Environment, witness: Option<Witness<'_>>) {
        if let Some(cause) = self.held.take_reserved() {
            self.downstream.give_back_retry(cause);
        }
        let verdict = if self.has_panicked() { Verdict::Failure } else { Verdict::Neutral };
        self.report(verdict, || Now::of(environment.now()), environment, witness);
    }

    /// Gives back what it holds, if that is anything.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        if !self.held.is_nothing() {
            self.give_up(&Live, None);
        }
    }
}

impl Drop for Permit<'_> {
    #[inline]
    fn drop(&mut self) {
        self.let_go();
    }
}

impl Downstream {
    /// Waits for a place, if places are limited, and not beyond the deadline. Says whether they are.
    async fn place(&self, deadline: Option<Instant>) -> Result<bool, Refusal> {
        let place = self.rooms.wait_for_place();
        match deadline {
            Some(deadline) => timeout_at(deadline, place).await.map_err(|_| no_place())?,
            None => place.await,
        }
    }

    /// Waits for a turn at the rate, if it ends before the deadline.
    async fn turn(&self, deadline: Option<Instant>) -> Result<(), Refusal> {
        let now = Instant::now();
        let left = deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(now));
        // A turn that comes at the deadline comes too late.
        let most = left.saturating_sub(TIMER_SLACK);
        let turn = self.rooms.take_turn(self.clock.nanos(Time::of(now)), most)?;
        if !turn.is_zero() {
            sleep(turn).await;
        }
        Ok(())
    }

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
        passed: Option<Generation>,
        verdict: Verdict,
        is_counted: bool,
        now: impl Fn() -> Now,
        environment: &impl Environment,
        witness: Option<Witness<'_>>,
    ) {
        let Some(passed) = passed else { return };
        let millis = || self.clock.millis_up(now().time);
        let moved = |from, to| self.tell_of_move(from, to, &now, witness);
        if is_counted {
            self.circuit.move_on(passed, verdict, millis, || environment.draw(), moved);
        } else {
            self.circuit.report(passed, verdict, millis, || environment.draw(), moved);
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
