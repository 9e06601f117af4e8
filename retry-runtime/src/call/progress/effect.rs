//! What is known of the effect of a call: of this one, of one before it, and of those inside.

use super::Progress;
use super::phase::First;
use super::told::Last;
use crate::call::failed::Failed;
use crate::classify::Class;
use crate::environment::Environment;
use crate::error::{Outcome, Reason, Stopped};
use crate::policy::Effect;
use crate::scope::note_write;
use crate::time::Now;

impl Progress<'_> {
    /// Where an earlier attempt of an enclosing call may have applied it, that is asked first.
    pub(in crate::call) fn ask_first_in_doubt(&mut self) {
        if self.refused.is_none() && self.standing.is_doubtful() {
            self.first = First::Question;
            self.outcome = Outcome::Unknown;
        }
    }

    /// No earlier attempt of an enclosing call applied it; its own may begin.
    pub(in crate::call) fn was_not_applied_before(&mut self) {
        self.outcome = Outcome::NotApplied;
    }

    /// What the failure of the attempt says. That a write inside was applied outweighs that another
    /// part of the body was not even sent.
    pub(in crate::call) fn class_of_attempt(&self, class: Class) -> Class {
        if self.standing.has_written() { class.unknown() } else { class }
    }

    /// The attempt may have been applied, and for this reason nobody could ask. Without an answer
    /// an enclosing call must not repeat it either.
    pub(in crate::call) fn stop_unasked(
        &mut self,
        failed: Failed,
        reason: Reason,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Stopped {
        let now = Now::of(environment.now());
        self.note(failed, now);
        self.stop_at(now, reason, failed.class.permanent(), last)
    }

    /// What encloses this write has had an effect, or may have.
    pub(super) fn tell_enclosing_call(&self) {
        if self.call.rules.effect != Effect::Idempotent {
            note_write();
        }
    }
}
