//! The state of a circuit breaker: one atomic word, moved by a pure function.

mod state;
mod window;

pub(crate) use state::Verdict;

use super::atom::Atom;
use super::breaker::{Breaker, Trip};
use crate::observe::BreakerState;
use state::{Admission, State, Word};
use std::num::NonZeroU32;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use window::Window;

/// A breaker at work. Times are milliseconds of its downstream's clock.
#[derive(Debug)]
pub(super) struct Circuit<A = AtomicU64> {
    breaker: Breaker,
    /// Of the breaker, so that nobody has to compute it for every failure.
    within: u64,
    word: A,
    /// Failures in a row, and when the first of them came: see [`Streak`].
    streak: A,
    window: Window,
    /// How often it opened since it was last closed, for the doubling of the open time.
    openings: A,
}

/// The state in which a call was let through; one more than its number, to take less room where it
/// is optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation(NonZeroU32);

/// The word of a closed breaker that let a call through, as it is; zero where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Admitted(u64);

impl Admitted {
    pub(crate) const NOTHING: Self = Self(0);

    pub(super) fn generation(self) -> Generation {
        Generation::of(self.0)
    }
}

impl Generation {
    /// Of a packed word.
    #[inline]
    fn of(packed: u64) -> Self {
        Self(NonZeroU32::MIN.saturating_add(Word::generation_of(packed)))
    }

    /// In 25 bits; zero where there is none.
    #[inline]
    pub(super) fn to_bits(generation: Option<Self>) -> u64 {
        generation.map_or(0, |Self(one_more)| u64::from(one_more.get()))
    }

    #[inline]
    pub(super) fn of_bits(bits: u64) -> Option<Self> {
        u32::try_from(bits).ok().and_then(NonZeroU32::new).map(Self)
    }
}

impl Circuit<AtomicU64> {
    /// Whether a success is counted even while all is well.
    pub(super) const fn counts_successes(&self) -> bool {
        matches!(self.breaker.trip, Trip::Ratio { .. })
    }

    /// That of a downstream without a breaker: nobody tells it anything.
    pub(super) const fn closed() -> Self {
        Self::new(Breaker::consecutive(u32::MAX))
    }

    pub(super) const fn new(breaker: Breaker) -> Self {
        Self {
            within: millis(breaker.within),
            breaker,
            word: AtomicU64::new(Word::CLOSED.pack()),
            streak: AtomicU64::new(0),
            window: Window::new(),
            openings: AtomicU64::new(0),
        }
    }
}

impl<A: Atom> Circuit<A> {
    /// With words of another kind.
    #[cfg(test)]
    pub(super) fn of(breaker: Breaker, word: impl Fn(u64) -> A) -> Self {
        Self {
            within: millis(breaker.within),
            breaker,
            word: word(Word::CLOSED.pack()),
            streak: word(0),
            window: Window::new(),
            openings: word(0),
        }
    }

    /// Lets a call through where nothing is to be written down. Says whether it does.
    #[inline]
    pub(super) fn admit_at_rest(&self, admitted: &mut Admitted) -> bool {
        admitted.0 = self.word.load();
        Word::is_closed(admitted.0)
    }

    /// Whether the success of a call that was let through at rest changes nothing: no failure is
    /// remembered that it would end. If it has moved since, it is not asked.
    #[inline]
    pub(super) fn is_at_rest(&self) -> bool {
        self.streak.load() == 0
    }

    /// Lets a call through, or not. Where all is well neither the clock nor chance is asked.
    /// When it does not, it says how long to stay away. `moved` hears of a change of the state.
    #[inline]
    pub(super) fn admit(
        &self,
        now: impl Fn() -> u64,
        draw: impl Fn() -> u64,
        moved: impl FnOnce(BreakerState, BreakerState),
    ) -> Result<Generation, Duration> {
        let packed = self.word.load();
        if Word::is_closed(packed) {
            if let Trip::Ratio { .. } = self.breaker.trip {
                self.window.reach(now(), self.within);
            }
            return Ok(Generation::of(packed));
        }
        self.admit_some(now, draw, moved)
    }

    /// Lets some calls through. `draw` decides who comes first while it recovers.
    #[cold]
    fn admit_some(
        &self,
        now: impl Fn() -> u64,
        draw: impl Fn() -> u64,
        moved: impl FnOnce(BreakerState, BreakerState),
    ) -> Result<Generation, Duration> {
        let mut packed = self.word.load();
        loop {
            let word = Word::unpack(packed);
            if word.state == State::Closed {
                return Ok(Generation::of(packed));
            }
            let now = now();
            match word.admit(&self.breaker, now, draw()) {
                Admission::Refuse { until } => {
                    return Err(Duration::from_millis(until.saturating_sub(now)));
                }
                Admission::Let { next } if next == word => {
                    return Ok(Generation::of(packed));
                }
                Admission::Let { next } => match self.word.exchange(packed, next.pack()) {
                    Ok(()) => {
                        self.entered(word, next, moved);
                        return Ok(Generation::of(next.pack()));
                    }
                    Err(other) => packed = other,
                },
            }
        }
    }

    /// For how many milliseconds it lets nobody through.
    #[inline]
    pub(super) fn open_for(&self, now: impl FnOnce() -> u64) -> u64 {
        let packed = self.word.load();
        if Word::is_closed(packed) { 0 } else { opens_in(packed, now()) }
    }

    pub(super) fn state(&self) -> &'static str {
        Word::unpack(self.word.load()).state.shown().name()
    }

    /// How a call went that was let through. The clock is asked only where the time matters, which
    /// is not where a healthy downstream succeeds.
    #[inline]
    pub(super) fn report(
        &self,
        admitted: Generation,
        verdict: Verdict,
        now: impl Fn() -> u64,
        draw: impl Fn() -> u64,
        moved: impl FnOnce(BreakerState, BreakerState),
    ) {
        if self.count(admitted, verdict, &now) {
            self.move_on(admitted, verdict, now, draw, moved);
        }
    }

    /// Counts how a call went that was let through. Says whether the breaker may have to move.
    #[inline]
    pub(super) fn count(
        &self,
        admitted: Generation,
        verdict: Verdict,
        now: impl Fn() -> u64,
    ) -> bool {
        let packed = self.word.load();
        // What was let through in an earlier state says nothing about this one.
        Generation::of(packed) == admitted && (!Word::is_closed(packed) || self.trips(verdict, now))
    }

    /// Moves, if it has to, after a call that was counted. A closed one has to: it trips.
    #[cold]
    pub(super) fn move_on(
        &self,
        admitted: Generation,
        verdict: Verdict,
        now: impl Fn() -> u64,
        draw: impl Fn() -> u64,
        moved: impl FnOnce(BreakerState, BreakerState),
    ) {
        let mut packed = self.word.load();
        while Generation::of(packed) == admitted {
            let word = Word::unpack(packed);
            let (now, open_time) = (now(), self.open_time(draw()));
            let next = word.after(&self.breaker, verdict, now, now.saturating_add(open_time));
            if next == word {
                return;
            }
            match self.word.exchange(packed, next.pack()) {
                Ok(()) => return self.entered(word, next, moved),
                Err(other) => packed = other,
            }
        }
    }

    /// Whether this verdict opens a closed breaker. Counts it.
    #[inline]
    fn trips(&self, verdict: Verdict, now: impl Fn() -> u64) -> bool {
        match self.breaker.trip {
            Trip::Consecutive(threshold) => self.count_in_a_row(verdict, threshold, now),
            Trip::Ratio { ratio, minimum } => {
                match verdict {
                    Verdict::Neutral => return false,
                    Verdict::Success => self.window.succeed(),
                    Verdict::Failure => {
                        self.window.reach(now(), self.within);
                        self.window.fail();
                    }
                }
                self.window.exceeds(ratio, minimum)
            }
        }
    }

    #[inline]
    fn count_in_a_row(&self, verdict: Verdict, threshold: u32, now: impl Fn() -> u64) -> bool {
        match verdict {
            Verdict::Neutral => false,
            Verdict::Success => {
                // A healthy downstream's word is only read.
                if self.streak.load() != 0 {
                    self.streak.store(0);
                }
                false
            }
            Verdict::Failure => {
                let (within, now, mut count) = (self.within, now(), 0);
                // The update always gives a value.
                let _ = self.streak.update(|packed| {
                    let longer = Streak::unpack(packed).after_failure(now, within);
                    count = longer.count;
                    Some(longer.pack())
                });
                count >= threshold
            }
        }
    }

    /// In milliseconds: doubled with each opening up to the limit, and the jitter on top.
    fn open_time(&self, draw: u64) -> u64 {
        let doublings = self.openings.load().min(32);
        let longest = millis(self.breaker.max_open_for);
        let least = millis(self.breaker.open_for).saturating_mul(1 << doublings).min(longest);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a fraction of a time, and `as` saturates"
        )]
        let extra =
            (least as f64 * self.breaker.open_jitter * (draw as f64 / u64::MAX as f64)) as u64;
        least.saturating_add(extra)
    }

    /// What a transition does to the counters.
    fn entered(&self, before: Word, after: Word, moved: impl FnOnce(BreakerState, BreakerState)) {
        if before.generation == after.generation {
            return;
        }
        match after.state {
            State::Open { .. } => {
                // The update always gives a value.
                let _ = self.openings.update(|openings| Some(openings + 1));
                self.forget();
            }
            State::Closed => {
                self.openings.store(0);
                self.forget();
            }
            State::HalfOpen { .. } | State::Recovering { .. } => {}
        }
        moved(before.state.shown(), after.state.shown());
    }

    fn forget(&self) {
        self.streak.store(0);
        self.window.clear();
    }
}

/// The milliseconds from now for which a word that is not closed lets nobody through.
#[cold]
fn opens_in(packed: u64, now: u64) -> u64 {
    match Word::unpack(packed).state {
        State::Open { until } => until.saturating_sub(now),
        _ => 0,
    }
}

/// Failures in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Streak {
    count: u32,
    /// When the first of them came, in milliseconds, of which 40 bits are kept: 34 years.
    since: u64,
}

const STREAK_BITS: u32 = 24;

impl Streak {
    #[inline]
    const fn pack(self) -> u64 {
        (self.since << STREAK_BITS) | self.count as u64
    }

    #[inline]
    const fn unpack(packed: u64) -> Self {
        Self { count: (packed & ((1 << STREAK_BITS) - 1)) as u32, since: packed >> STREAK_BITS }
    }

    /// One failure more; a streak that began too long ago begins anew with it.
    #[inline]
    const fn after_failure(self, now: u64, within: u64) -> Self {
        let longest = (1 << STREAK_BITS) - 1;
        if self.count == 0 || now.saturating_sub(self.since) > within {
            Self { count: 1, since: now }
        } else if self.count < longest {
            Self { count: self.count + 1, since: self.since }
        } else {
            self
        }
    }
}

const fn millis(duration: Duration) -> u64 {
    duration.as_secs().saturating_mul(1_000).saturating_add(duration.subsec_millis() as u64)
}
