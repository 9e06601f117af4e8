//! A standing of which nobody has asked for anything, in little room.

use super::Standing;
use super::retries::Retries;
use crate::time::Time;

/// That of a call in no scope, in an attempt that has told nobody of itself. It is put in force and
/// taken away by copying it, which most attempts do for nothing: their bodies do not ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alone {
    deadline: Time,
    cut: Time,
    attempt: u32,
    limit: u32,
    spent: u32,
    owned: bool,
    doubtful: bool,
}

impl Standing {
    /// Nothing, if there is more to say.
    #[inline]
    pub(super) fn alone(&self) -> Option<Alone> {
        let Self { root, deadline, cut, attempt, repeats, retries, owned, doubtful, .. } = self;
        let Self { inherits, resumed, wrote, keyed, absent, watch, .. } = self;
        let is_more = inherits | resumed | wrote | keyed | absent;
        if is_more || *root != 0 || *repeats != 0 || watch.is_there() {
            return None;
        }
        let (limit, spent) = retries.alone()?;
        let (owned, doubtful, attempt) = (*owned, *doubtful, *attempt);
        Some(Alone { deadline: *deadline, cut: *cut, attempt, limit, spent, owned, doubtful })
    }
}

impl Alone {
    pub(super) fn standing(self) -> Standing {
        let Self { deadline, cut, attempt, limit, spent, owned, doubtful } = self;
        let retries = Retries::spent_alone(limit, spent);
        Standing { deadline, cut, attempt, retries, owned, doubtful, ..Standing::NEW }
    }
}
