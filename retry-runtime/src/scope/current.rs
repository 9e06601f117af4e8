//! The scope in force: that of the attempt or the request that is being polled on this thread.

use super::Standing;
#[cfg(feature = "serde")]
use super::file::Dated;
use crate::call::Opening;
use crate::key::IdempotencyKey;
use scoped_tls::scoped_thread_local;
use std::cell::Cell;

/// What is in force on this thread.
#[derive(Clone, Copy)]
enum InForce {
    Nothing,
    /// A call in its first poll, whose scope is made when somebody asks for it.
    Opening(Opening),
    /// The scope of such a call, made and kept in [`ASKED`].
    Asked,
    /// The scope that is lent by [`CURRENT`].
    Lent,
}

thread_local! {
    static IN_FORCE: Cell<InForce> = const { Cell::new(InForce::Nothing) };
    static ASKED: Cell<Option<Standing>> = const { Cell::new(None) };
}

scoped_thread_local!(
    /// Lent by whoever polls in it, and not moved: that would cost as much as all else of a poll.
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
    let inner = Inner { standing, before: IN_FORCE.replace(InForce::Lent) };
    let run = || CURRENT.set(Cell::from_mut(inner.standing), run);
    match key {
        Some(key) => KEY.set(key, run),
        None => run(),
    }
}

/// What was in force before is so again, and knows what was spent and written inside; also if it
/// panics.
struct Inner<'s> {
    standing: &'s mut Standing,
    before: InForce,
}

impl Drop for Inner<'_> {
    #[inline]
    fn drop(&mut self) {
        IN_FORCE.set(self.before);
        self.standing.join_outer();
        if self.standing.has_written() {
            note_write();
        }
    }
}

/// Puts a call in force that begins outside of any scope, for its first poll.
#[inline]
pub(crate) fn open(opening: Opening) {
    IN_FORCE.set(InForce::Opening(opening));
}

/// Undoes [`open`]. Gives the scope, if somebody has asked for it.
#[inline]
pub(crate) fn close() -> Option<Standing> {
    let close =
        |in_force: &Cell<InForce>| matches!(in_force.replace(InForce::Nothing), InForce::Asked);
    let asked = IN_FORCE.with(close);
    if asked { ASKED.take() } else { None }
}

/// A write inside the attempt in force was applied, or may have been.
pub(crate) fn note_write() {
    with_current(Standing::note_write);
}

/// Whether there is a scope, or something that stands for none.
#[inline]
pub(crate) fn is_any_in_force() -> bool {
    IN_FORCE.with(|in_force| !matches!(in_force.get(), InForce::Nothing))
}

pub(super) fn with_current<T>(read: impl FnOnce(&mut Standing) -> T) -> Option<T> {
    let mut standing = match IN_FORCE.get() {
        InForce::Nothing => return None,
        InForce::Lent => return CURRENT.with(|current| with_lent(current, read)),
        InForce::Opening(opening) => opening.standing(),
        InForce::Asked => ASKED.take()?,
    };
    let result = read(&mut standing);
    ASKED.set(Some(standing));
    IN_FORCE.set(InForce::Asked);
    Some(result)
}

fn with_lent<T>(current: &Cell<Standing>, read: impl FnOnce(&mut Standing) -> T) -> Option<T> {
    let mut standing = current.replace(Standing::NEW);
    let result = (!standing.absent).then(|| read(&mut standing));
    current.set(standing);
    result
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
