//! Where a call stands between its attempts.

/// What the downstream is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Attempt,
    /// Whether an attempt was applied.
    Question,
}

/// Flat, because every call holds it while it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// An attempt wants to start, and may have to wait for room.
    BeforeAttempt,
    /// The same of a question.
    BeforeQuestion,
    /// An attempt runs.
    Attempt,
    /// A question runs.
    Question,
    /// It pauses before the next attempt, until [`Progress::ends_at`](super::Progress::ends_at).
    Pause,
    /// The same, just long enough to let others run.
    Yield,
    /// Nothing runs, and what follows is not begun.
    Over,
    /// The downstream did not let an attempt start, and the call makes no other.
    KeptOut,
}

impl Phase {
    pub(super) const fn during(asked: Asked) -> Self {
        match asked {
            Asked::Attempt => Self::Attempt,
            Asked::Question => Self::Question,
        }
    }

    /// What it is about.
    pub(super) const fn asked(self) -> Asked {
        match self {
            Self::BeforeQuestion | Self::Question => Asked::Question,
            _ => Asked::Attempt,
        }
    }
}

/// What a call begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// Its first attempt.
    Attempt,
    /// The question whether an earlier attempt of an enclosing call applied the write.
    Question,
    /// That was asked, so that the first attempt begins later than the call.
    Answered,
}
