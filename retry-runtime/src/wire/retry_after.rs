//! When the server asks to be called again: `Retry-After`, and `RateLimit` where it is missing.

use super::rate_limit;
use crate::wall;
use http::HeaderMap;
use http::header::RETRY_AFTER;
use std::time::Duration;

/// How long the server asks to be left alone; none if it does not, or says it in no known form.
///
/// A date is turned into a duration when it is read, by this machine's clock; a date that is past
/// is zero, which asks for nothing. Where there is no `Retry-After`, a `RateLimit` whose quota is
/// used up counts: RFC 9110 and the draft say that `Retry-After` wins.
///
/// ```
/// use http::HeaderMap;
/// use retry_runtime::wire::retry_after;
/// use std::time::Duration;
///
/// let mut headers = HeaderMap::new();
/// headers.insert("retry-after", "7".parse().unwrap());
/// assert_eq!(retry_after(&headers), Some(Duration::from_secs(7)));
/// ```
#[must_use]
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    if !headers.contains_key(RETRY_AFTER) {
        return rate_limit::wait(headers);
    }
    let mut values = headers.get_all(RETRY_AFTER).iter();
    let value = values.next()?.to_str().ok()?;
    // HTTP reads several lines as one list, and a list is no wait: to take the first of two numbers
    // could be too early.
    if values.next().is_some() { None } else { parse_retry_after(value) }
}

/// Reads one value: seconds, which may have a fraction, or a date in any of HTTP's three forms.
///
/// What does not fit into a [`Duration`] is [`Duration::MAX`]. Source: RFC 9110, sections 10.2.3 and
/// 5.6.7. Fractions are beyond it; servers send them all the same.
///
/// ```
/// use retry_runtime::wire::parse_retry_after;
/// use std::time::Duration;
///
/// assert_eq!(parse_retry_after("1.5"), Some(Duration::from_millis(1500)));
/// assert_eq!(parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT"), Some(Duration::ZERO));
/// assert_eq!(parse_retry_after("120junk"), None);
/// ```
#[must_use]
pub fn parse_retry_after(value: &str) -> Option<Duration> {
    let value = value.trim_matches([' ', '\t']);
    if value.starts_with(|first: char| first.is_ascii_digit()) {
        seconds(value)
    } else {
        httpdate::parse_http_date(value).ok().map(wall::until)
    }
}

fn seconds(value: &str) -> Option<Duration> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let Ok(whole) = whole.parse::<u64>() else { return Some(Duration::MAX) };
    let nanos = nanoseconds(fraction);
    Some(Duration::from_secs(whole).saturating_add(nanos))
}

/// The digits behind the point; rounded up, because to come back early is what must not happen.
fn nanoseconds(fraction: &str) -> Duration {
    const DIGITS: usize = 9;
    let (kept, rest) = fraction.split_at(fraction.len().min(DIGITS));
    let nanos: u64 = format!("{kept:0<DIGITS$}").parse().unwrap_or_default();
    let more = rest.bytes().any(|digit| digit != b'0');
    Duration::from_nanos(nanos + u64::from(more))
}

#[cfg(test)]
mod tests {
    use super::parse_retry_after;
    use proptest::prelude::*;
    use std::time::Duration;

    proptest! {
        #[test]
        fn a_number_of_seconds_is_never_read_as_less(number in "[0-9]{1,12}(\\.[0-9]{1,12})?") {
            let read = parse_retry_after(&number).unwrap();
            let exact: f64 = number.parse().unwrap();
            prop_assert!(read.as_secs_f64() >= exact * (1.0 - 1e-9));
            prop_assert!(read.as_secs_f64() <= exact * (1.0 + 1e-9) + 1e-9);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
            let _ = parse_retry_after(&text);
        }

        #[test]
        fn digits_without_end_are_as_long_as_it_gets(nines in 20_usize..200) {
            prop_assert_eq!(parse_retry_after(&"9".repeat(nines)), Some(Duration::MAX));
        }
    }
}
