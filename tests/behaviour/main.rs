//! The loop in virtual time: exact instants, no sleeping.

mod adaptive;
mod asked;
mod at_rest;
mod attempts;
mod breaker;
mod budget;
mod classes;
mod deadline;
mod dropped;
mod files;
mod incidents;
mod jitter;
mod jobs;
mod keys;
mod limits;
mod nested;
mod outcomes;
mod policies;
mod reconcile;
mod schedules;
mod server;
mod tasks;
mod unchecked;
mod verdicts;
