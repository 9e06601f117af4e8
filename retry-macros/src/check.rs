//! What is refused before anything is written. Each line of [`all`] is a rule.
//!
//! The numbers of the policy are judged by the runtime's own `Policy::check`, and the types by its
//! traits: the expansion asks for both.

mod body;
mod effect;
mod shape;

use crate::diag::{self, Mistake, Mistakes};
use crate::parse::Arguments;
use crate::target::Function;

/// What the rules look at.
struct Case<'c> {
    arguments: &'c Arguments,
    function: &'c Function,
}

/// Every rule; each may add mistakes, and none hides another.
pub(crate) fn all(arguments: &Arguments, function: &Function, mistakes: &mut Mistakes) {
    let case = Case { arguments, function };

    effect::check_policy_given(&case, mistakes);
    effect::check_policy_not_of_self(&case, mistakes);
    effect::check_effect_given(&case, mistakes);
    effect::check_one_effect(&case, mistakes);
    effect::check_reconcile_has_key(&case, mistakes);
    effect::check_key_not_empty(&case, mistakes);
    effect::check_key_used(&case, mistakes);
    effect::check_idempotent_not_doubted(&case, mistakes);

    shape::check_async(&case, mistakes);
    shape::check_not_const(&case, mistakes);
    shape::check_result(&case, mistakes);
    shape::check_attribute_once(&case, mistakes);
    shape::check_no_mutable_borrow_returned(&case, mistakes);
    shape::check_clones_are_parameters(&case, mistakes);

    body::check_no_mutable_parameter(&case, mistakes);
    body::check_no_mutable_self(&case, mistakes);
    body::check_nothing_spawned(&case, mistakes);
}

impl Case<'_> {
    /// Reports a broken rule that can be allowed, or an `allow` of it that nothing needs.
    fn unless_allowed(&self, rule: &str, broken: Vec<Mistake>, mistakes: &mut Mistakes) {
        let allowed = self.arguments.allow.get().and_then(|rules| rules.find(rule));
        match allowed {
            Some(place) if broken.is_empty() => {
                mistakes.push(diag::ALLOW_UNNEEDED.at(place, &[rule]));
            }
            Some(_) => {}
            None => mistakes.append(broken),
        }
    }
}
