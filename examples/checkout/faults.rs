//! Which request meets which fault.

use hyper::Method;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What can happen to a request between the client and the payment server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The charge is written, and the connection is closed before the answer.
    AnswerLost,
    /// The connection is reset before the payment server sees the request.
    Reset,
    /// The charge is written, and the answer comes after the client has given up.
    Slow,
    /// 500 before anything is written.
    Broken,
    /// 503 with `Retry-After: 1` before anything is written.
    Busy,
}

/// Parts of a hundred. `Busy` is rare because each one costs its caller a whole second.
const MIX: [(Fault, u32); 5] = [
    (Fault::AnswerLost, 30),
    (Fault::Reset, 25),
    (Fault::Slow, 20),
    (Fault::Broken, 17),
    (Fault::Busy, 8),
];

/// Deals out faults, and remembers what it dealt.
///
/// The fault depends on the seed, the order, and how often the order was asked for, and on nothing
/// else: however the requests of different orders interleave, the same seed has the same faults.
#[derive(Debug)]
pub(crate) struct Faults {
    seed: u64,
    rate: f64,
    met: Mutex<HashMap<(Method, u32), Met>>,
}

/// What the requests for one order met, one after the other.
type Met = Vec<Option<Fault>>;

impl Faults {
    /// `rate` is a fraction from 0 to 1.
    pub(crate) fn new(seed: u64, rate: f64) -> Self {
        Self { seed, rate, met: Mutex::default() }
    }

    /// What happens to the next request for this order.
    pub(crate) fn meet(&self, method: &Method, order: u32) -> Option<Fault> {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = met.entry((method.clone(), order)).or_default();
        let fault = self.draw(method, order, earlier.len() as u64);
        earlier.push(fault);
        fault
    }

    /// What happened to each request for this order.
    pub(crate) fn met(&self, method: &Method, order: u32) -> Met {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.get(&(method.clone(), order)).cloned().unwrap_or_default()
    }

    fn draw(&self, method: &Method, order: u32, earlier: u64) -> Option<Fault> {
        let numbers = [self.seed, u64::from(order), earlier, u64::from(*method == Method::GET)];
        let mut seed = <StdRng as SeedableRng>::Seed::default();
        for (bytes, number) in seed.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let mut rng = StdRng::from_seed(seed);
        if !rng.random_bool(self.rate) {
            return None;
        }
        let mut ticket = rng.random_range(0..MIX.iter().map(|(_, parts)| parts).sum());
        MIX.iter().find_map(|(fault, parts)| {
            let won = ticket < *parts;
            ticket = ticket.saturating_sub(*parts);
            won.then_some(*fault)
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::AnswerLost => "done, answer lost",
            Self::Reset => "never reached server",
            Self::Slow => "done, answer late",
            Self::Broken | Self::Busy => "refused",
        })
    }
}
