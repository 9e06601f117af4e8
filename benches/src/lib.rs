//! What calls cost, beside other crates, in one run.
//!
//! Only the ratios within one run mean anything: the figures themselves are those of one machine on
//! one day.

pub mod calls;
pub mod compile;
pub mod contention;
mod cpu;
pub mod events;
mod machine;
mod memory;
mod statistics;
pub mod storm;
mod table;
