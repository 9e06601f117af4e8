//! What is to happen, in order of time.

use super::simulated::Moment;
use std::collections::VecDeque;
use std::mem;

/// Moments are looked at in digits of so many bits.
const DIGIT: u32 = 4;
const DIGITS: usize = 1 << DIGIT;
const BUCKETS: usize = (Moment::BITS / DIGIT) as usize * DIGITS;
const WORD: usize = u64::BITS as usize;
const WORDS: usize = BUCKETS / WORD;

/// So many entries are a block: buckets grow and shrink by blocks.
const BLOCK: usize = 64;

/// A bucket of no more blocks is small enough for the caches to hold all that its entries speak of.
const FEW: usize = 4;

/// A radix heap. Of what is due at the same moment, what was entered first comes first.
///
/// Time only moves forward, so an entry can lie in the bucket of the highest digit in which its
/// moment differs from the present one. It moves to lower buckets as its moment comes near, at most
/// once for each digit and always in bulk, which is kinder to a processor's caches than a binary
/// heap: with a million entries that one spends two thirds of a simulation. Entries of the same
/// moment are always in the same bucket, and keep their order.
#[derive(Debug)]
pub(super) struct Agenda<W> {
    now: Moment,
    /// What is due now.
    due: VecDeque<W>,
    /// What is due later, the nearest first.
    buckets: [Bucket<W>; BUCKETS],
    /// One bit for each bucket that is not empty.
    filled: [u64; WORDS],
    /// Blocks that are empty; the last was used last, and is still in the caches.
    spare: Vec<Block<W>>,
    /// A bucket without blocks.
    opened: Bucket<W>,
    /// All that is due by then was said to come soon, or was entered after that.
    foretold: Moment,
}

type Bucket<W> = Vec<Block<W>>;
type Block<W> = Vec<(Moment, W)>;

impl<W> Agenda<W> {
    pub(super) fn new() -> Self {
        Self {
            now: 0,
            due: VecDeque::new(),
            buckets: [const { Vec::new() }; BUCKETS],
            filled: [0; WORDS],
            spare: Vec::new(),
            opened: Vec::new(),
            foretold: 0,
        }
    }

    /// Enters something that is due at or after what was last taken out.
    pub(super) fn enter(&mut self, at: Moment, wake: W) {
        debug_assert!(at >= self.now, "{at} is before {}", self.now);
        let Some(highest) = (at ^ self.now).checked_ilog2() else {
            return self.due.push_back(wake);
        };
        let place = highest / DIGIT;
        #[expect(clippy::cast_possible_truncation, reason = "one digit is left")]
        let digit = ((at >> (place * DIGIT)) % DIGITS as Moment) as usize;
        self.put(place as usize * DIGITS + digit, (at, wake));
    }

    fn put(&mut self, number: usize, entry: (Moment, W)) {
        let bucket = &mut self.buckets[number];
        self.filled[number / WORD] |= 1 << (number % WORD);
        match bucket.last_mut() {
            Some(block) if block.len() < BLOCK => block.push(entry),
            _ => {
                let mut block = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(BLOCK));
                block.push(entry);
                bucket.push(block);
            }
        }
    }

    /// Takes out what is due next, and when. `soon` is told of what comes soon after, some dozens at
    /// a time and in no order, but not of what was entered only a short time ago.
    pub(super) fn next(&mut self, soon: impl FnMut(&[(Moment, W)])) -> Option<(Moment, W)> {
        if self.due.is_empty() {
            self.open(soon)?;
        }
        self.due.pop_front().map(|wake| (self.now, wake))
    }

    /// Spreads the first bucket over those before it.
    fn open(&mut self, soon: impl FnMut(&[(Moment, W)])) -> Option<()> {
        let word = self.filled.iter().position(|word| *word != 0)?;
        let bit = self.filled[word].trailing_zeros() as usize;
        self.filled[word] &= !(1 << bit);
        let room = mem::take(&mut self.opened);
        let mut opened = mem::replace(&mut self.buckets[word * WORD + bit], room);
        let moments = || opened.iter().flatten().map(|(at, _)| *at);
        self.now = moments().min()?;
        if opened.len() <= FEW {
            let last = moments().max()?;
            if last > self.foretold {
                opened.iter().map(Vec::as_slice).for_each(soon);
                self.foretold = last;
            }
        }
        for mut block in opened.drain(..) {
            for (at, wake) in block.drain(..) {
                self.enter(at, wake);
            }
            self.spare.push(block);
        }
        self.opened = opened;
        Some(())
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
        let order: Vec<_> = std::iter::from_fn(|| agenda.next(|_| ())).map(|(at, _)| at).collect();
        assert_eq!(order, [5, 5, 6, 7, u64::MAX]);
    }

    #[test]
    fn what_comes_soon_is_said_once_and_before_it_comes() {
        let mut agenda = Agenda::new();
        for place in 0..3_000_u64 {
            agenda.enter(1_000_000 + place * 7_919 % 3_000, place);
        }
        let (mut said, mut unsaid, mut most) = (Vec::new(), 0, 0);
        for _ in 0..3_000 {
            let before = said.len();
            let next = agenda.next(|soon| said.extend(soon.iter().map(|(_, place)| *place)));
            unsaid += usize::from(!next.is_some_and(|(_, place)| said.contains(&place)));
            most = most.max(said.len() - before);
        }
        // The first of a bucket that was too large comes without a word.
        assert!(unsaid < 5, "{unsaid} came unsaid");
        assert_eq!(said.len() + unsaid, 3_000);
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len() + unsaid, 3_000);
        assert!(most > BLOCK && most <= FEW * BLOCK, "{most} at a time");
    }

    /// A plain list, sorted by moment, is the model: it is stable.
    #[test]
    fn it_does_what_a_sorted_list_does() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut agenda, mut list, mut now) = (Agenda::new(), Vec::new(), 0);
        for place in 0..3_000 {
            if generator.random_ratio(1, 3) {
                let next: Option<(Moment, i32)> = (!list.is_empty()).then(|| list.remove(0));
                assert_eq!(agenda.next(|_| ()), next);
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
