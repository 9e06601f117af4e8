//! The macro called in-process.

mod documented;
mod editor;
mod fuzz;
mod golden;
