//! What is to happen, in order of time.

use super::simulated::Moment;
use std::collections::VecDeque;

const BUCKETS: usize = Moment::BITS as usize + 1;

/// A radix heap. Of what is due at the same moment, what was entered first comes first.
///
/// Time only moves forward, so an entry can lie in the bucket of the highest bit in which its moment
/// differs from the present one. It moves to lower buckets as its moment comes near, at most once
/// for each bit and always in bulk, which is kinder to a processor's caches than a binary heap: with
/// a million entries that one spends two thirds of a simulation. Entries of the same moment are
/// always in the same bucket, and keep their order.
#[derive(Debug)]
pub(super) struct Agenda<W> {
    now: Moment,
    buckets: [VecDeque<(Moment, W)>; BUCKETS],
}

impl<W> Agenda<W> {
    pub(super) fn new() -> Self {
        Self { now: 0, buckets: [const { VecDeque::new() }; BUCKETS] }
    }

    /// Enters something that is due at or after what was last taken out.
    pub(super) fn enter(&mut self, at: Moment, wake: W) {
        debug_assert!(at >= self.now, "{at} is before {}", self.now);
        let highest = Moment::BITS - (at ^ self.now).leading_zeros();
        self.buckets[highest as usize].push_back((at, wake));
    }

    /// Takes out what is due next, and when.
    pub(super) fn next(&mut self) -> Option<(Moment, W)> {
        if self.buckets[0].is_empty() {
            let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let nearest = std::mem::take(&mut self.buckets[first]);
            self.now = nearest.iter().map(|(at, _)| *at).min()?;
            for (at, wake) in nearest {
                self.enter(at, wake);
            }
        }
        self.buckets[0].pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_earliest_comes_first_and_among_equals_the_first() {
        let mut agenda = Agenda::new();
        for (at, place) in [(7, 0), (5, 9), (5, 3), (6, 1), (u64::MAX, 4)] {
            agenda.enter(at, place);
        }
        let order: Vec<_> = std::iter::from_fn(|| agenda.next()).map(|(at, _)| at).collect();
        assert_eq!(order, [5, 5, 6, 7, u64::MAX]);
    }

    /// A plain list, sorted by moment, is the model: it is stable.
    #[test]
    fn it_does_what_a_sorted_list_does() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut agenda, mut list, mut now) = (Agenda::new(), Vec::new(), 0);
        for place in 0..3_000 {
            if generator.random_ratio(1, 3) {
                let next: Option<(Moment, i32)> = (!list.is_empty()).then(|| list.remove(0));
                assert_eq!(agenda.next(), next);
                now = next.map_or(now, |(at, _)| at);
            } else {
                let at = now + (generator.random_range(0..20) << generator.random_range(0..40));
                agenda.enter(at, place);
                list.push((at, place));
                list.sort_by_key(|(at, _)| *at);
            }
        }
    }
}
