//! What the machine itself can do.

use super::operation::Operation;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Shares nothing that is written, so two threads do it twice as often as one, unless something else
/// runs on their cores.
pub(super) const LOAD: &str = "atomic load";

static WORD: AtomicU64 = AtomicU64::new(0);

pub(super) fn operations() -> impl Iterator<Item = Operation> {
    [
        Operation::new(LOAD, |_| WORD.load(Relaxed) != u64::MAX),
        Operation::new("atomic addition", |_| WORD.fetch_add(1, Relaxed) != u64::MAX),
    ]
    .into_iter()
}
