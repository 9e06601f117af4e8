//! What is true of a call in its request, and how often the request was repeated, in one word.

/// One of the facts.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(super) enum Fact {
    /// The limit of the retries is that of an enclosing call or request.
    Inherits = 1,
    /// The request was put back, so that there were attempts before of which nothing is known.
    Resumed = 1 << 1,
    /// Some enclosing call retries, so calls inside must not.
    Owned = 1 << 2,
    /// An earlier attempt of the request may have been applied.
    Doubtful = 1 << 3,
    /// A write inside the attempt was applied, or may have been.
    Wrote = 1 << 4,
    /// The key in force is one of this call, not of one around it.
    Keyed = 1 << 5,
    /// Nothing is in force, for work that is to find nothing.
    Absent = 1 << 6,
}

/// All of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts(u32);

/// The number of repetitions is above the facts.
const SHIFT: u32 = 8;

impl Facts {
    pub(super) const NONE: Self = Self(0);

    /// More repetitions of a request are not told apart.
    pub(super) const MOST_REPEATS: u32 = u32::MAX >> SHIFT;

    #[inline]
    pub(super) const fn has(self, fact: Fact) -> bool {
        self.0 & fact as u32 != 0
    }

    #[inline]
    #[must_use]
    pub(super) const fn with(self, fact: Fact, is_true: bool) -> Self {
        let others = self.0 & !(fact as u32);
        Self(if is_true { others | fact as u32 } else { others })
    }

    #[inline]
    pub(super) fn set(&mut self, fact: Fact, is_true: bool) {
        *self = self.with(fact, is_true);
    }

    /// Whether nothing else is true than what can be, of a call that is in no scope.
    #[inline]
    pub(super) const fn are_those_of_a_call_alone(self) -> bool {
        self.0 & !(Fact::Owned as u32 | Fact::Doubtful as u32) == 0
    }

    /// In which attempt of the request the call began, counted from 0.
    #[inline]
    pub(super) const fn repeats(self) -> u32 {
        self.0 >> SHIFT
    }

    pub(super) fn set_repeats(&mut self, repeats: u32) {
        let facts = self.0 & ((1 << SHIFT) - 1);
        self.0 = facts | (repeats.min(Self::MOST_REPEATS) << SHIFT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Fact; 7] = [
        Fact::Inherits,
        Fact::Resumed,
        Fact::Owned,
        Fact::Doubtful,
        Fact::Wrote,
        Fact::Keyed,
        Fact::Absent,
    ];

    #[test]
    fn a_fact_is_kept_apart_from_the_others_and_from_the_repetitions() {
        for (at, fact) in ALL.into_iter().enumerate() {
            let mut facts = Facts::NONE;
            facts.set_repeats(at.try_into().unwrap_or_default());
            facts.set(fact, true);
            for (other_at, other) in ALL.into_iter().enumerate() {
                assert_eq!(facts.has(other), other_at == at, "{other:?} beside {fact:?}");
            }
            assert_eq!(usize::try_from(facts.repeats()), Ok(at));
            facts.set_repeats(0);
            facts.set(fact, false);
            assert_eq!(facts, Facts::NONE);
        }
    }

    #[test]
    fn repetitions_end_at_the_most_that_is_counted() {
        let mut facts = Facts::NONE.with(Fact::Absent, true);
        for (repeats, kept) in [
            (Facts::MOST_REPEATS, Facts::MOST_REPEATS),
            (Facts::MOST_REPEATS + 1, Facts::MOST_REPEATS),
            (u32::MAX, Facts::MOST_REPEATS),
            (3, 3),
        ] {
            facts.set_repeats(repeats);
            assert_eq!(facts.repeats(), kept);
            assert!(facts.has(Fact::Absent) && !facts.has(Fact::Keyed));
        }
    }
}
