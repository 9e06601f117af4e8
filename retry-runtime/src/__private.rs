//! What expansions of the attribute call. Not for people to write: it may change in any release.

pub use crate::call::{
    Attempt, AttemptOf, Call, CallError, Classifier, Ended, Fallible, Next, Pause, Run,
};
pub use crate::classify::Hint;
pub use crate::policy::{Allow, Effect, Policy};

use crate::classify::{Class, Classify};

/// Refuses to compile a policy that is unsafe for a call with this effect.
///
/// The panic is a compile error, because expansions evaluate this in a constant.
#[track_caller]
pub const fn verify(policy: &Policy, effect: Effect, allow: Allow) {
    if let Err(error) = policy.check_for(effect, allow) {
        panic!("{}", error.text().as_str());
    }
}

/// Tells the compiler what the body of a function that returns `R` yields. Always `None`.
pub const fn attempt_type<R: Fallible>() -> Option<R::Attempt> {
    None
}

/// Judges the errors in the body of a function that returns `R` by their own class.
pub const fn by_class<R: Fallible>() -> Classifier<R, R::Last>
where
    R::Last: Classify,
{
    by(R::Last::classify)
}

/// Judges them by a function of the user's.
pub const fn by<R, E>(classify: fn(&E) -> Class) -> Classifier<R, E> {
    Classifier::new(classify)
}

/// A by-value parameter as it was passed, for one attempt.
pub fn fresh<T: Clone>(parameter: &T) -> T {
    parameter.clone()
}

/// A class with the wait that a field of the error holds.
pub fn hinted(class: Class, wait: &impl Hint) -> Class {
    wait.hint().map_or(class, |wait| class.retry_after(wait))
}
