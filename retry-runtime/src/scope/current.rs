//! The scope in force: that of the attempt or the request that is being polled on this thread.

use super::Scope;
use std::cell::Cell;

thread_local! {
    static CURRENT: Cell<Option<Scope>> = const { Cell::new(None) };
}

/// Puts `scope` in force, and what was in force in its place.
///
/// While a thread ends its locals are gone: then nothing is in force, and nothing is lost.
pub(crate) fn enter(scope: &mut Option<Scope>) {
    join(scope);
    swap(scope);
}

/// Undoes [`enter`].
pub(crate) fn leave(scope: &mut Option<Scope>) {
    swap(scope);
    join(scope);
}

/// What the request has spent inside is known outside, and the other way round.
fn join(inner: &mut Option<Scope>) {
    if let Some(inner) = inner {
        inner.join_outer();
    }
}

fn swap(scope: &mut Option<Scope>) {
    let _ = CURRENT.try_with(|current| {
        let before = current.replace(scope.take());
        *scope = before;
    });
}

pub(crate) fn with_current<T>(read: impl FnOnce(&mut Scope) -> T) -> Option<T> {
    CURRENT
        .try_with(|current| {
            let mut scope = current.take()?;
            let result = read(&mut scope);
            current.set(Some(scope));
            Some(result)
        })
        .ok()
        .flatten()
}
