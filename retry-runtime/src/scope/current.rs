//! The scope in force: that of the attempt or the request that is being polled on this thread.

use super::Scope;
use scoped_tls::scoped_thread_local;
use std::cell::Cell;

scoped_thread_local!(
    /// Lent by whoever polls in it, and not moved: that would cost more than all else of a call that
    /// succeeds.
    static CURRENT: Cell<Scope>
);

/// Runs something with this scope in force, and not the one that was.
#[inline]
pub(crate) fn within<T>(scope: &mut Scope, run: impl FnOnce() -> T) -> T {
    scope.join_outer();
    let inner = Inner(scope);
    CURRENT.set(Cell::from_mut(inner.0), run)
}

/// What the request has spent inside is known outside, too, even if it panics.
struct Inner<'s>(&'s mut Scope);

impl Drop for Inner<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.join_outer();
    }
}

pub(crate) fn with_current<T>(read: impl FnOnce(&mut Scope) -> T) -> Option<T> {
    if !CURRENT.is_set() {
        return None;
    }
    CURRENT.with(|current| {
        let mut scope = current.replace(Scope::EMPTY);
        let result = (!scope.absent).then(|| read(&mut scope));
        current.set(scope);
        result
    })
}
