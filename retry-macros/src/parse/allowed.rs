//! The rules that `allow(...)` switches off, each with a reason.

use super::{list, reason};
use crate::diag::{self, Mistake, Mistakes, suggestion};
use crate::syntax::Row;
use proc_macro2::Ident;

/// Each at the place where it is allowed.
#[derive(Default)]
pub(crate) struct Rules(Vec<Ident>);

/// Rules about the policy, which the runtime judges.
const OF_THE_POLICY: &[&str] = &["no_jitter", "short_attempt_timeout"];

const EXAMPLE: &str = "allow(no_jitter = \"reason\")";

const ALLOWABLE: &[&str] =
    &["no_jitter", "short_attempt_timeout", "key_unused", "spawn_in_body", "mutable_parameter"];

impl Rules {
    pub(super) fn parse_after(
        word: &Ident,
        row: &mut Row<'_>,
        mistakes: &mut Mistakes,
    ) -> Result<Self, Mistake> {
        let mut rules = Self::default();
        for rule in list(row, word, EXAMPLE, mistakes, allowed)? {
            let name = rule.to_string();
            if rules.find(&name).is_some() {
                mistakes.push(diag::ARGUMENT_TWICE.at(&rule, &[&name]));
            } else {
                rules.0.push(rule);
            }
        }
        Ok(rules)
    }

    /// The place where a rule is allowed.
    pub(crate) fn find(&self, rule: &str) -> Option<&Ident> {
        self.0.iter().find(|allowed| *allowed == rule)
    }

    pub(crate) fn of_the_policy(self) -> Vec<Ident> {
        let mut rules = Vec::new();
        for rule in self.0 {
            if OF_THE_POLICY.contains(&rule.to_string().as_str()) {
                rules.push(rule);
            }
        }
        rules
    }
}

/// `RULE = "reason"`.
fn allowed(row: &mut Row<'_>) -> Result<Ident, Mistake> {
    let Some(rule) = row.name() else {
        return Err(diag::VALUE_UNREADABLE.at_span(row.span(), &["allow", EXAMPLE]));
    };
    let word = rule.to_string();
    if !ALLOWABLE.contains(&word.as_str()) {
        return Err(diag::UNKNOWN_RULE.at(rule, &[&word, &suggestion(&word, ALLOWABLE)]));
    }
    reason(row, rule)?;
    Ok(rule.clone())
}
