//! The items of syn's lists.
//!
//! `Punctuated::iter` gives a boxed iterator, and each kind of item would bring all that a box can be
//! asked for: a tenth of what has to be compiled of this crate.

use syn::punctuated::{Pair, Punctuated};

pub(crate) fn items<T, P>(list: &Punctuated<T, P>) -> impl Iterator<Item = &T> {
    list.pairs().map(Pair::into_value)
}

pub(crate) fn items_mut<T, P>(list: &mut Punctuated<T, P>) -> impl Iterator<Item = &mut T> {
    list.pairs_mut().map(Pair::into_value)
}
