//! Time that processors worked, which does not count what else the machine does.
//!
//! Where the system does not say it, the time on the wall stands in.

use std::time::Duration;

/// Of this thread, from some moment on.
pub(crate) fn of_this_thread() -> Duration {
    system::of_this_thread()
}

/// Of all processes that this one has started and waited for, and that these have.
pub(crate) fn of_children() -> Duration {
    system::of_children()
}

#[cfg(unix)]
mod system {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::time::{ClockId, clock_gettime};
    use std::time::Duration;

    pub(super) fn of_this_thread() -> Duration {
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
    }

    pub(super) fn of_children() -> Duration {
        let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
        let times = [usage.user_time(), usage.system_time()];
        times.iter().map(|time| duration(time.tv_sec(), time.tv_usec())).sum()
    }

    fn duration(seconds: i64, micros: i64) -> Duration {
        let seconds = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        seconds + Duration::from_micros(u64::try_from(micros).unwrap_or_default())
    }
}

#[cfg(not(unix))]
mod system {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub(super) fn of_this_thread() -> Duration {
        BEGAN.elapsed()
    }

    pub(super) fn of_children() -> Duration {
        BEGAN.elapsed()
    }
}
