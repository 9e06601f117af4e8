//! A bank that takes charges over HTTP and keeps them in SQLite.

pub mod api;
pub mod service;
pub mod store;
