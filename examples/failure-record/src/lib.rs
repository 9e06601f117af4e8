//! A failure taken apart: what a timeout, a limit on attempts, backoff with jitter and a retry
//! budget do when a group of requests fails together.
//!
//! A [`record::Record`] is what happens; [`anatomy::Anatomy`] is what follows from it, by the storm
//! engine of `retry_runtime`, and so by the decision, budget and breaker of real calls. Beside it
//! stand simulations of [`contention`], of an [`outage`], and of each of the four [`knobs`]; and a
//! recorded [`trace`] is drawn as a record is. The rest shows them: [`terminal`], [`svg`], [`data`] and the page of [`serve`].
//!
//! Run it with `cargo run --example failure-record`.

pub mod anatomy;
pub mod chart;
pub mod command;
pub mod contention;
pub mod data;
pub mod field;
pub mod figures;
pub mod knobs;
pub mod outage;
pub mod picture;
pub mod record;
pub mod serve;
pub mod svg;
pub mod table;
pub mod terminal;
pub mod trace;
pub mod watch;
