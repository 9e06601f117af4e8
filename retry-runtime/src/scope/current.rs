//! The scope in force: that of the attempt or the request that is being polled on this thread.

use super::Standing;
#[cfg(feature = "serde")]
use super::file::Dated;
use crate::key::IdempotencyKey;
use scoped_tls::scoped_thread_local;
use std::cell::Cell;

scoped_thread_local!(
    /// Lent by whoever polls in it, and not moved: that would cost more than all else of a call that
    /// succeeds.
    static CURRENT: Cell<Standing>
);
scoped_thread_local!(
    /// Of the innermost keyed call, or of the request; an absent one hides it.
    static KEY: IdempotencyKey
);
#[cfg(feature = "serde")]
scoped_thread_local!(
    /// Of the request.
    static DATED: Dated
);

/// Runs something with this standing in force, and with this key, if it is another than before.
#[inline]
pub(crate) fn within<T>(
    standing: &mut Standing,
    key: Option<&IdempotencyKey>,
    run: impl FnOnce() -> T,
) -> T {
    standing.join_outer();
    let inner = Inner(standing);
    let run = || CURRENT.set(Cell::from_mut(inner.0), run);
    match key {
        Some(key) => KEY.set(key, run),
        None => run(),
    }
}

/// What the request has spent inside is known outside, too, even if it panics.
struct Inner<'s>(&'s mut Standing);

impl Drop for Inner<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.join_outer();
        if self.0.has_written() {
            note_write();
        }
    }
}

/// A write inside the attempt in force was applied, or may have been.
pub(crate) fn note_write() {
    with_current(Standing::note_write);
}

/// Whether there is one, or something that stands for none.
#[inline]
pub(crate) fn is_any_in_force() -> bool {
    CURRENT.is_set()
}

pub(super) fn with_current<T>(read: impl FnOnce(&mut Standing) -> T) -> Option<T> {
    if !is_any_in_force() {
        return None;
    }
    CURRENT.with(|current| {
        let mut standing = current.replace(Standing::NEW);
        let result = (!standing.absent).then(|| read(&mut standing));
        current.set(standing);
        result
    })
}

/// The key in force.
pub(crate) fn current_key() -> Option<IdempotencyKey> {
    let is_there = |key: &IdempotencyKey| (!key.is_absent()).then(|| key.clone());
    if KEY.is_set() { KEY.with(is_there) } else { None }
}

#[cfg(feature = "serde")]
pub(super) fn current_date() -> Option<Dated> {
    DATED.is_set().then(|| DATED.with(Dated::clone))
}

/// Runs something while the deadline of the request is this date.
#[cfg(feature = "serde")]
pub(super) fn dated<T>(date: &Dated, run: impl FnOnce() -> T) -> T {
    DATED.set(date, run)
}
