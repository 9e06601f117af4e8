//! What Linux says of this process; elsewhere there are no such files.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long a processor has worked for this thread, which does not count what else the machine does;
/// the time on the wall where nobody says it.
pub(crate) fn worked() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|stat| stat.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

/// Forgets how much memory there was at most, so that [`most_memory`] is of what comes next.
pub(crate) fn forget_memory() {
    // A 5 asks for that. Where there is nobody to ask, nothing is measured.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory since then, in megabytes.
pub(crate) fn most_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1_024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_used_is_seen() {
        forget_memory();
        let Some(before) = most_memory() else { return };
        let used = std::hint::black_box(vec![1_u8; 100_000_000]);
        assert!(used.iter().all(|byte| *byte == 1));
        assert!(most_memory().is_some_and(|after| after > before + 90.0));
    }

    #[test]
    fn work_takes_time() {
        let before = worked();
        let sum = (0..10_000_000_u64).map(std::hint::black_box).sum::<u64>();
        assert!(worked() > before, "{sum}");
    }
}
