//! What was measured of one contender.

use std::fmt;
use std::str::FromStr;

/// The figures of one call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) name: String,
    pub(super) nanos: f64,
    /// The fastest and the slowest round.
    pub(super) spread: (f64, f64),
    /// None where there is no valgrind.
    pub(super) instructions: Option<f64>,
    pub(super) allocations: f64,
    /// Of the future, in bytes.
    pub(super) size: usize,
    /// The same with a body of a kibibyte.
    pub(super) kibibyte: usize,
}

/// One line, for another process to read.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, nanos, spread, instructions, allocations, size, kibibyte } = self;
        let (fastest, slowest) = spread;
        let instructions = instructions.unwrap_or(f64::NAN);
        write!(
            f,
            "{name}\t{nanos}\t{fastest}\t{slowest}\t{instructions}\t{allocations}\t{size}\t{kibibyte}"
        )
    }
}

/// A line that is not one of [`Figures`].
#[derive(Debug, thiserror::Error)]
#[error("no figures: {0}")]
pub(super) struct Unreadable(String);

impl FromStr for Figures {
    type Err = Unreadable;

    fn from_str(line: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable(line.to_owned());
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, nanos, fastest, slowest, instructions, allocations, size, kibibyte] = cells[..]
        else {
            return Err(unreadable());
        };
        let float = |cell: &str| cell.parse::<f64>().map_err(|_| unreadable());
        let whole = |cell: &str| cell.parse::<usize>().map_err(|_| unreadable());
        Ok(Self {
            name: name.to_owned(),
            nanos: float(nanos)?,
            spread: (float(fastest)?, float(slowest)?),
            instructions: Some(float(instructions)?).filter(|count| count.is_finite()),
            allocations: float(allocations)?,
            size: whole(size)?,
            kibibyte: whole(kibibyte)?,
        })
    }
}

impl Figures {
    /// Bytes of the future around a kibibyte that the plain one does not have.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub(super) fn bytes_more(&self, plain: &Self) -> f64 {
        self.kibibyte as f64 - plain.kibibyte as f64
    }
}

/// Lines with a name and a count.
pub(super) fn counts(lines: &str) -> Result<Vec<(String, f64)>, Unreadable> {
    let count = |line: &str| {
        let (name, count) = line.split_once('\t')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    lines.lines().map(|line| count(line).ok_or_else(|| Unreadable(line.to_owned()))).collect()
}
