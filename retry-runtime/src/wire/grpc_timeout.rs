//! The `grpc-timeout` header: up to eight digits and a unit.
//!
//! Source: "gRPC over HTTP2", `TimeoutValue` and `TimeoutUnit`.

use std::time::Duration;

const MOST_DIGITS: usize = 8;
const MOST: u128 = 99_999_999;

/// Nanoseconds and the letter of every unit, the smallest first.
const UNITS: [(u64, char); 6] = [
    (1, 'n'),
    (1_000, 'u'),
    (1_000_000, 'm'),
    (1_000_000_000, 'S'),
    (60_000_000_000, 'M'),
    (HOUR, 'H'),
];

const HOUR: u64 = 3_600_000_000_000;

/// Writes a timeout in the smallest unit that has room for it, rounded up as gRPC does.
///
/// ```
/// use retry_runtime::wire::encode_grpc_timeout;
/// use std::time::Duration;
///
/// assert_eq!(encode_grpc_timeout(Duration::from_millis(80)), "80000000n");
/// assert_eq!(encode_grpc_timeout(Duration::from_secs(123)), "123000m");
/// ```
#[must_use]
pub fn encode_grpc_timeout(timeout: Duration) -> String {
    let nanos = timeout.as_nanos();
    UNITS
        .iter()
        .map(|(unit, letter)| (nanos.div_ceil(u128::from(*unit)), letter))
        .find(|(count, _)| *count <= MOST)
        .map_or_else(|| format!("{MOST}H"), |(count, letter)| format!("{count}{letter}"))
}

/// The longest timeout up to this one that is written without rounding: what is left of a deadline
/// must not grow from hop to hop.
pub(super) fn round_down(timeout: Duration) -> Duration {
    let nanos = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
    let fits = |unit: &u64| u128::from(nanos / unit) <= MOST;
    let unit = UNITS.iter().map(|(unit, _)| *unit).find(fits).unwrap_or(HOUR);
    Duration::from_nanos(nanos / unit * unit)
}

/// Reads a timeout; none if it is not one.
///
/// ```
/// use retry_runtime::wire::decode_grpc_timeout;
/// use std::time::Duration;
///
/// assert_eq!(decode_grpc_timeout("00000010m"), Some(Duration::from_millis(10)));
/// assert_eq!(decode_grpc_timeout("10"), None);
/// ```
#[must_use]
pub fn decode_grpc_timeout(text: &str) -> Option<Duration> {
    let mut letters = text.chars();
    let letter = letters.next_back()?;
    let digits = letters.as_str();
    let (nanos, _) = UNITS.iter().find(|(_, unit)| *unit == letter)?;
    let is_number = (1..=MOST_DIGITS).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let count: u128 = is_number.then(|| digits.parse().ok()).flatten()?;
    // 292 years and more are as good as never; 64 bits hold no more nanoseconds elsewhere either.
    let nanos = u64::try_from(count * u128::from(*nanos)).unwrap_or(u64::MAX);
    Some(Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::{decode_grpc_timeout, encode_grpc_timeout, round_down};
    use proptest::prelude::*;
    use std::time::Duration;

    proptest! {
        #[test]
        fn what_is_rounded_down_is_written_exactly_and_never_grows(
            secs in 0_u64..400_000_000_000, nanos in 0_u32..1_000_000_000
        ) {
            let timeout = Duration::new(secs, nanos);
            let down = round_down(timeout);
            prop_assert!(down <= timeout);
            let read = decode_grpc_timeout(&encode_grpc_timeout(down)).unwrap();
            prop_assert_eq!(read, down);
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,12}") {
            let _ = decode_grpc_timeout(&text);
        }
    }
}
