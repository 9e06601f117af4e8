//! The scope in force: that of the attempt or the request that is being polled on this thread.

use super::Standing;
use super::facts::Fact;
#[cfg(feature = "serde")]
use super::file::Dated;
use super::standing::Position;
use crate::call::Opening;
use crate::key::IdempotencyKey;
use scoped_tls::scoped_thread_local;
use std::cell::{Cell, RefCell};
use std::mem::{self, ManuallyDrop};

/// What is in force on this thread.
#[derive(Clone, Copy)]
enum InForce {
    Nothing,
    /// A call in its first attempt, whose scope is made when somebody asks for it.
    Opening(Opening),
    /// The same of a call in a later one.
    Alone(Position),
    /// What is in [`STANDING`].
    Standing,
}

thread_local! {
    static IN_FORCE: Cell<InForce> = const { Cell::new(InForce::Nothing) };
    /// It is here while it is in force, and nowhere else. Never dropped, so that it can be looked at
    /// while the thread ends: whoever puts something there takes it away. No code of others runs
    /// while it is borrowed.
    static STANDING: RefCell<ManuallyDrop<Standing>> =
        const { RefCell::new(ManuallyDrop::new(Standing::NEW)) };
}

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
    if let Some(position) = standing.alone() {
        if put_outside(|| InForce::Alone(position)) {
            let _opened = Opened { standing };
            return run();
        }
    }
    standing.join_outer();
    let _inner = Inner::enter(standing);
    match key {
        Some(key) => KEY.set(key, run),
        None => run(),
    }
}

/// Nothing was in force before, and is again; also if it panics.
struct Opened<'s> {
    standing: &'s mut Standing,
}

impl Drop for Opened<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(asked) = close() {
            *self.standing = asked;
        }
    }
}

/// What was in force before is so again, and knows what was spent and written inside; also if it
/// panics.
struct Inner<'s> {
    before: InForce,
    /// Holds what was in force before, while this is.
    standing: &'s mut Standing,
}

impl<'s> Inner<'s> {
    #[inline]
    fn enter(standing: &'s mut Standing) -> Self {
        let in_force =
            if standing.at.facts.has(Fact::Absent) { InForce::Nothing } else { InForce::Standing };
        let inner = Self { before: IN_FORCE.replace(in_force), standing };
        swap(inner.standing);
        inner
    }
}

impl Drop for Inner<'_> {
    #[inline]
    fn drop(&mut self) {
        IN_FORCE.set(self.before);
        swap(self.standing);
        self.standing.join_outer();
        if self.standing.has_written() {
            note_write();
        }
    }
}

/// Swaps a standing with the one in force.
#[inline]
fn swap(standing: &mut Standing) {
    STANDING.with_borrow_mut(|current| mem::swap(&mut **current, standing));
}

/// Takes the standing in force away.
#[inline]
fn take() -> Standing {
    STANDING.with_borrow_mut(|current| mem::replace(&mut **current, Standing::NEW))
}

/// Puts a call in force that runs outside of any scope, while it is polled. Says whether it does.
#[inline]
pub(crate) fn open(opening: Opening) -> bool {
    put_outside(|| InForce::Opening(opening))
}

/// Puts something in force where nothing is. Says whether it does.
#[inline]
fn put_outside(new: impl FnOnce() -> InForce) -> bool {
    IN_FORCE.with(|in_force| {
        let is_outside = matches!(in_force.get(), InForce::Nothing);
        if is_outside {
            in_force.set(new());
        }
        is_outside
    })
}

/// Undoes [`open`]. Gives the scope, if somebody has asked for it.
#[inline]
pub(crate) fn close() -> Option<Standing> {
    let close =
        |in_force: &Cell<InForce>| matches!(in_force.replace(InForce::Nothing), InForce::Standing);
    IN_FORCE.with(close).then(take)
}

/// A write inside the attempt in force was applied, or may have been.
pub(crate) fn note_write() {
    with_current(Standing::note_write);
}

pub(super) fn with_current<T>(read: impl FnOnce(&mut Standing) -> T) -> Option<T> {
    match IN_FORCE.get() {
        InForce::Nothing => return None,
        InForce::Opening(opening) => ask(opening.standing()),
        InForce::Alone(position) => ask(position.standing()),
        InForce::Standing => {}
    }
    Some(STANDING.with_borrow_mut(|current| read(current)))
}

/// Somebody asks for the scope of the call in force.
#[cold]
fn ask(mut standing: Standing) {
    swap(&mut standing);
    IN_FORCE.set(InForce::Standing);
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
