//! What a call holds of its downstream and of the parent of that, in one word.

use super::budget::Cause;
use super::circuit::Generation;

/// Whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Own,
    Parent,
}

/// Every call has it while it waits, so each fact takes the bits that it needs and no byte more.
///
/// Each half of the word is about one downstream: the breaker's generation, a place, and a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held(u64);

/// One more than a generation; zero where the breaker let nothing through.
const PASSED: u64 = (1 << 25) - 1;
/// A place where the attempts that run side by side are limited.
const PLACE: u64 = 1 << 25;
/// A payment is a cause in two bits; zero where there is none.
const PAYMENT: u64 = 0b11 << PAYMENT_AT;
const PAYMENT_AT: u32 = 26;
const PANICKED: u64 = 1 << 28;

/// The next retry, paid for and not yet started, is in the half of the downstream itself; what the
/// attempt was paid for that runs, in the other.
const RESERVED: Side = Side::Own;
const PAID: Side = Side::Parent;

impl Side {
    const fn shift(self) -> u32 {
        match self {
            Self::Own => 0,
            Self::Parent => 32,
        }
    }
}

impl Held {
    pub(super) const NOTHING: Self = Self(0);

    /// Whether there is nothing to give back.
    #[inline]
    pub(super) const fn is_nothing(self) -> bool {
        const RETURNED: u64 = PASSED | PLACE;
        self.0 & (RETURNED | RETURNED << Side::Parent.shift() | PAYMENT << RESERVED.shift()) == 0
    }

    /// The breaker let it through, or there is none.
    #[inline]
    pub(super) fn pass(&mut self, side: Side, generation: Option<Generation>) {
        self.put(PASSED << side.shift(), Generation::to_bits(generation) << side.shift());
    }

    #[inline]
    pub(super) fn passed(self, side: Side) -> Option<Generation> {
        Generation::of_bits(self.0 >> side.shift() & PASSED)
    }

    #[inline]
    pub(super) fn take_passed(&mut self, side: Side) -> Option<Generation> {
        Generation::of_bits(self.take(PASSED << side.shift()) >> side.shift())
    }

    #[inline]
    pub(super) fn set_place(&mut self, side: Side, is_held: bool) {
        let place = PLACE << side.shift();
        self.put(place, if is_held { place } else { 0 });
    }

    #[inline]
    pub(super) fn take_place(&mut self, side: Side) -> bool {
        self.take(PLACE << side.shift()) != 0
    }

    #[inline]
    pub(super) fn reserve(&mut self, cause: Cause) {
        self.put(PAYMENT << RESERVED.shift(), bits(cause) << PAYMENT_AT << RESERVED.shift());
    }

    #[inline]
    pub(super) fn take_reserved(&mut self) -> Option<Cause> {
        cause(self.take(PAYMENT << RESERVED.shift()) >> RESERVED.shift() >> PAYMENT_AT)
    }

    /// What was reserved pays for the attempt that starts.
    #[inline]
    pub(super) fn spend(&mut self) {
        let payment = self.take(PAYMENT << RESERVED.shift()) >> RESERVED.shift();
        self.put(PAYMENT << PAID.shift(), payment << PAID.shift());
    }

    #[inline]
    pub(super) const fn paid(self) -> Option<Cause> {
        cause((self.0 >> PAID.shift() & PAYMENT) >> PAYMENT_AT)
    }

    pub(super) fn panic(&mut self) {
        self.0 |= PANICKED;
    }

    pub(super) const fn has_panicked(self) -> bool {
        self.0 & PANICKED != 0
    }

    #[inline]
    fn put(&mut self, mask: u64, bits: u64) {
        self.0 = self.0 & !mask | bits;
    }

    #[inline]
    fn take(&mut self, mask: u64) -> u64 {
        let taken = self.0 & mask;
        self.0 &= !mask;
        taken
    }
}

#[inline]
const fn bits(cause: Cause) -> u64 {
    match cause {
        Cause::Failure => 1,
        Cause::Timeout => 2,
        Cause::Throttled => 3,
    }
}

#[inline]
const fn cause(bits: u64) -> Option<Cause> {
    match bits {
        1 => Some(Cause::Failure),
        2 => Some(Cause::Timeout),
        3 => Some(Cause::Throttled),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, each fact in a field of its own.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Model {
        passed: [Option<Generation>; 2],
        places: [bool; 2],
        reserved: Option<Cause>,
        paid: Option<Cause>,
        panicked: bool,
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Pass(usize, Option<u32>),
        TakePassed(usize),
        SetPlace(usize, bool),
        TakePlace(usize),
        Reserve(Cause),
        TakeReserved,
        Spend,
        Panic,
    }

    fn steps() -> impl Strategy<Value = Step> {
        let cause = prop::sample::select(vec![Cause::Failure, Cause::Timeout, Cause::Throttled]);
        let generation = prop::sample::select(vec![0, 1, (1 << 24) - 1]);
        prop_oneof![
            (0..2_usize, prop::option::of(generation)).prop_map(|(side, g)| Step::Pass(side, g)),
            (0..2_usize).prop_map(Step::TakePassed),
            (0..2_usize, any::<bool>()).prop_map(|(side, held)| Step::SetPlace(side, held)),
            (0..2_usize).prop_map(Step::TakePlace),
            cause.prop_map(Step::Reserve),
            Just(Step::TakeReserved),
            Just(Step::Spend),
            Just(Step::Panic),
        ]
    }

    proptest! {
        #[test]
        fn every_fact_is_kept_as_if_it_had_a_field_of_its_own(
            steps in prop::collection::vec(steps(), 0..40)
        ) {
            let (mut held, mut model) = (Held::NOTHING, Model::default());
            for step in steps {
                let side = |at| [Side::Own, Side::Parent][at];
                match step {
                    Step::Pass(at, number) => {
                        let generation = number.and_then(|number| Generation::of_bits(u64::from(number) + 1));
                        held.pass(side(at), generation);
                        model.passed[at] = generation;
                    }
                    Step::TakePassed(at) => {
                        prop_assert_eq!(held.take_passed(side(at)), model.passed[at].take());
                    }
                    Step::SetPlace(at, is_held) => {
                        held.set_place(side(at), is_held);
                        model.places[at] = is_held;
                    }
                    Step::TakePlace(at) => {
                        prop_assert_eq!(held.take_place(side(at)), std::mem::take(&mut model.places[at]));
                    }
                    Step::Reserve(cause) => {
                        held.reserve(cause);
                        model.reserved = Some(cause);
                    }
                    Step::TakeReserved => {
                        prop_assert_eq!(held.take_reserved(), model.reserved.take());
                    }
                    Step::Spend => {
                        held.spend();
                        model.paid = model.reserved.take();
                    }
                    Step::Panic => {
                        held.panic();
                        model.panicked = true;
                    }
                }
                let Model { passed, places, reserved, .. } = model;
                let holds = passed[0].is_some() || passed[1].is_some() || places[0] || places[1];
                prop_assert_eq!(held.is_nothing(), !holds && reserved.is_none());
                prop_assert_eq!(held.paid(), model.paid);
                prop_assert_eq!(held.has_panicked(), model.panicked);
            }
        }
    }
}
