//! Functions that the lints find fault with, each in one thing.

pub mod bodies;
pub mod signatures;
