//! The loop in virtual time: exact instants, no sleeping.

mod attempts;
mod budget;
mod classes;
mod deadline;
mod dropped;
mod incidents;
mod jitter;
mod nested;
mod policies;
mod schedules;
mod server;
mod unchecked;
