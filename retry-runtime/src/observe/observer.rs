//! Who is told, and whether anybody is.

use super::spans::Spans;
use super::{Event, Facts};
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Somebody who is told what calls do.
///
/// It runs inside the call, between two steps of it: it should be quick, and must not block. A panic
/// in it is a panic of the call, of which nothing more is told.
///
/// Two observers are one: `(A, B)` tells `A`, then `B`.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn observe(&self, event: &Event<'_>, facts: &Facts<'_>);
}

impl<O: Observer + ?Sized> Observer for &O {
    fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
        (**self).observe(event, facts);
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
        self.0.observe(event, facts);
        self.1.observe(event, facts);
    }
}

/// How many listen to all calls, or to those of some task.
static LISTENERS: AtomicUsize = AtomicUsize::new(0);

static GLOBAL: OnceLock<&'static dyn Observer> = OnceLock::new();

/// The process has an observer, and keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadySet;

impl fmt::Display for AlreadySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an observer of all calls is already set, and there is one only")
    }
}

impl std::error::Error for AlreadySet {}

/// Has this observer told about all calls of the process that begin from now on.
///
/// # Errors
///
/// [`AlreadySet`] when there is one; it stays.
pub fn set_global(observer: &'static dyn Observer) -> Result<(), AlreadySet> {
    GLOBAL.set(observer).map_err(|_| AlreadySet)?;
    // For as long as the process runs.
    std::mem::forget(Listening::begin());
    Ok(())
}

pub(super) fn global() -> Option<&'static dyn Observer> {
    GLOBAL.get().copied()
}

/// Somebody listens as long as this lives.
#[derive(Debug)]
pub(super) struct Listening(());

impl Listening {
    pub(super) fn begin() -> Self {
        LISTENERS.fetch_add(1, Relaxed);
        Self(())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        LISTENERS.fetch_sub(1, Relaxed);
    }
}

/// Whether there may be anybody beside the observer of the downstream.
#[inline]
pub(crate) fn anybody_listens() -> bool {
    LISTENERS.load(Relaxed) != 0 || Spans::are_wanted()
}

/// The observer of a downstream.
#[derive(Clone, Copy)]
pub(crate) struct Watcher(pub(crate) Option<&'static dyn Observer>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "observed" } else { "unobserved" })
    }
}
