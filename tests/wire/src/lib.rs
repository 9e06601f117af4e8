//! Services in a chain, each a process of its own, and each with retries.

pub mod chain;
pub mod log;
