//! How much memory this process has had at most, where the system says so.

use std::fs;

/// Forgets the most so far, so that [`most`] is of what comes next.
pub(crate) fn forget() {
    // Linux takes a 5 for that; elsewhere there is no such file, and nothing is measured.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most since then, in megabytes.
pub(crate) fn most() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1_024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_seen() {
        forget();
        let Some(before) = most() else { return };
        let used = std::hint::black_box(vec![1_u8; 100_000_000]);
        assert!(used.iter().all(|byte| *byte == 1));
        assert!(most().is_some_and(|after| after > before + 90.0));
    }
}
