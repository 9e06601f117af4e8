//! What others publish, row by row: their algorithms' vectors against the loop as it is.
//!
//! Each file names its sources. Only numbers are taken from them. Where this project decides
//! otherwise on purpose, the row shows its choice, and `docs/conformance.md` says why.

mod aws;
mod backoff;
mod contention;
mod dependency;
mod finagle;
mod grpc;
mod hints;
mod microprofile;
mod page;
mod retry_sim;
mod time;
#[path = "../behaviour/unchecked.rs"]
mod unchecked;
