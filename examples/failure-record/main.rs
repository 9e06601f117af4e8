//! Takes a failure apart: the record, the tree, the storm, on a page.
//!
//! Run it with `cargo run --example failure-record`, and again with `-- --serve` for the page. What
//! it does is in the library beside it; read `src/record.rs` first, then `src/anatomy.rs`.

use failure_record::command;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::main(std::env::args_os().skip(1))
}
