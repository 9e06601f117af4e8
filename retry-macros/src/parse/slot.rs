//! An argument that may be given once.

use crate::diag::{self, Mistakes};
use proc_macro2::Ident;

/// The value of such an argument. This is the only place that refuses a second one.
pub(crate) struct Slot<T>(Option<T>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(None)
    }
}

fn refuse(word: &Ident, mistakes: &mut Mistakes) {
    mistakes.push(diag::ARGUMENT_TWICE.at(word, &[&word.to_string()]));
}

impl<T> Slot<T> {
    pub(super) fn set(&mut self, word: &Ident, value: T, mistakes: &mut Mistakes) {
        if self.0.is_some() {
            refuse(word, mistakes);
        } else {
            self.0 = Some(value);
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    pub(crate) fn take(self) -> Option<T> {
        self.0
    }
}
