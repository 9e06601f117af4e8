//! Simulated storms: what policies, budgets and breakers do to a downstream that fails.
//!
//! `cargo test -p retry-tests --test storm -- --nocapture` prints the tables.

mod amplification;
mod breaker;
mod contention;
mod groups;
mod layers;
mod load;
mod real;
mod scene;
mod seeds;
mod server;
