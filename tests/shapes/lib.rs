//! Async functions of every shape, each written once, as a user would write it.
//!
//! Four packages compile these files: in edition 2021 and in edition 2024, with the feature
//! `retried` and without it. Their tests run the annotated functions, compare the sizes of the two
//! futures of each, and compare what the lints say of them.

#![warn(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::expect_used,
    clippy::large_futures,
    clippy::let_unit_value,
    clippy::redundant_closure_call,
    clippy::semicolon_if_nothing_returned,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::used_underscore_binding,
    elided_lifetimes_in_paths,
    missing_docs,
    unreachable_pub,
    unused_qualifications
)]
// Where the lints are compared (`--cfg linted`), they all speak. Else this is a strict crate, which
// allows what its functions do themselves.
#![cfg_attr(
    not(linted),
    deny(warnings),
    allow(missing_docs, clippy::cast_possible_truncation, clippy::missing_errors_doc)
)]

pub mod bodies;
pub mod generics;
pub mod neighbours;
pub mod parameters;
pub mod receivers;
pub mod results;
pub mod strict;
pub mod traits;

#[cfg(linted)]
pub mod linted;
