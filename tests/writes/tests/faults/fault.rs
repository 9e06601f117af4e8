//! Which request meets which fault: a matter of the seed, and of nothing else.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What can happen to a request on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The connection is refused.
    Refused,
    /// Somebody in front of the bank answers 429.
    Busy,
    /// The connection is reset before a byte of the request was read.
    Unread,
    /// The request was read, and is not passed on.
    Unsent(Close),
    /// This share of the request is passed on, up to the whole, and both connections are cut at once.
    CutRequest(f64, Close),
    /// The bank has answered, and not a byte of the answer is passed on.
    AnswerLost(Close),
    /// This share of the answer is passed on, less than the whole.
    CutAnswer(f64, Close),
    /// The request is passed on that much later, also if nobody waits for it any more.
    LateRequest(Duration),
    /// The answer is.
    LateAnswer(Duration),
}

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Close {
    Orderly,
    Reset,
}

/// One request of a client: the `number`th of its kind for its order, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    pub order: u32,
    pub kind: Kind,
    pub number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Charge,
    /// Whether the charge was made.
    Question,
    /// A read that follows the charge.
    Look,
}

pub const KINDS: [Kind; 3] = [Kind::Charge, Kind::Question, Kind::Look];

/// Deals out faults.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    pub seed: u64,
    /// The share of the requests that meet one.
    pub rate: f64,
}

/// Every so many orders one has a bank that nobody reaches: otherwise hardly a call would end
/// without any of its attempts having been sent.
const DARK: u32 = 50;

/// Twice the attempt timeout of the clients: half of what is late is too late.
const LATEST: Duration = crate::client::ATTEMPT.saturating_mul(2);

impl Faults {
    pub fn of(&self, id: Id) -> Option<Fault> {
        if id.order % DARK == 0 {
            return Some(Fault::Refused);
        }
        let mut rng = self.rng(id);
        let dark = 1.0 / f64::from(DARK);
        rng.random_bool((self.rate - dark).max(0.0) / (1.0 - dark)).then(|| draw(&mut rng))
    }

    fn rng(&self, id: Id) -> StdRng {
        let numbers = [self.seed, u64::from(id.order), u64::from(id.number), id.kind as u64];
        let mut seed = <StdRng as SeedableRng>::Seed::default();
        for (bytes, number) in seed.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        StdRng::from_seed(seed)
    }
}

/// Parts of a hundred.
fn draw(rng: &mut StdRng) -> Fault {
    let close = if rng.random() { Close::Orderly } else { Close::Reset };
    let share = rng.random();
    let late = LATEST.mul_f64(share);
    match rng.random_range(0..100) {
        0..12 => Fault::Refused,
        12..20 => Fault::Busy,
        20..28 => Fault::Unread,
        28..36 => Fault::Unsent(close),
        36..54 => Fault::CutRequest(share, close),
        54..70 => Fault::AnswerLost(close),
        70..84 => Fault::CutAnswer(share, close),
        84..92 => Fault::LateRequest(late),
        _ => Fault::LateAnswer(late),
    }
}

impl Fault {
    /// Whether it leaves no doubt that the bank did not get the request.
    pub fn is_plain(self) -> bool {
        matches!(self, Self::Refused | Self::Busy)
    }

    /// Whether an answer in time may come all the same.
    pub fn is_late(self) -> bool {
        matches!(self, Self::LateRequest(_) | Self::LateAnswer(_))
    }
}

/// As it stands in the header of a request.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.order, self.kind as usize, self.number)
    }
}

impl FromStr for Id {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split(' ');
        let mut word = || words.next().unwrap_or_default();
        let order = word().parse()?;
        let kind = KINDS[word().parse::<usize>()?];
        Ok(Self { order, kind, number: word().parse()? })
    }
}
