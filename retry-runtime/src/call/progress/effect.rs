//! What is known of the effect of a call: of this one, of one before it, and of those inside.

use super::Progress;
use super::told::Last;
use crate::call::failed::Failed;
use crate::classify::Class;
use crate::environment::Environment;
use crate::error::{Outcome, Reason, Stopped};
use crate::policy::Effect;
use crate::scope::{self, Scope};

impl Progress<'_> {
    /// Inside a later attempt of an enclosing call, an earlier one may have applied the write.
    pub(in crate::call) fn ask_before_repeating(&mut self) {
        if self.refused.is_none() && self.scope.is_doubtful() {
            self.asks_first = true;
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
        if self.scope.has_written() { class.unknown() } else { class }
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
        self.note(failed, environment);
        self.class = self.class.permanent();
        self.stop(reason, last, environment)
    }

    /// What encloses this write has had an effect, or may have.
    pub(super) fn tell_enclosing_call(&self) {
        if self.call.rules.effect != Effect::Idempotent {
            scope::with_current(Scope::note_write);
        }
    }
}
