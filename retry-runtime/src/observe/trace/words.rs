//! What a chart says.

use super::chart::End;
use crate::call::Limit;
use crate::observe::AttemptEnd;
use std::time::Duration;

pub(super) fn attempt_end(end: AttemptEnd<'_>) -> (End, String) {
    match end {
        AttemptEnd::Succeeded => (End::Good, "succeeded".to_owned()),
        AttemptEnd::Failed { class, error: None } => (End::Bad, class.name().to_owned()),
        AttemptEnd::Failed { class, error: Some(error) } => {
            (End::Bad, format!("{}: {}", class.name(), cut(format!("{error:?}"))))
        }
        AttemptEnd::TimedOut { limit, .. } => {
            let limit = match limit {
                Limit::Policy => "timed out",
                Limit::Adapted => "timed out by the adaptive timeout",
                Limit::Call => "cut by the deadline",
            };
            (End::Bad, limit.to_owned())
        }
        AttemptEnd::Panicked => (End::Bad, "panicked".to_owned()),
        AttemptEnd::Dropped => (End::Open, "dropped".to_owned()),
    }
}

/// As much of a text as stands in a line.
fn cut(text: String) -> String {
    const MOST: usize = 48;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None if line.len() < text.len() => format!("{line}…"),
        None => text,
    }
}

/// A time with the digits that somebody reads.
pub(super) fn short(time: Duration) -> String {
    let micros = time.as_micros();
    if time.is_zero() {
        "0 ms".to_owned()
    } else if micros >= 1_000_000 {
        format!("{:.2} s", time.as_secs_f64())
    } else if micros >= 100_000 {
        format!("{:.0} ms", time.as_secs_f64() * 1e3)
    } else if micros >= 1_000 {
        format!("{:.1} ms", time.as_secs_f64() * 1e3)
    } else {
        format!("{micros} µs")
    }
}
