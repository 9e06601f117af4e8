//! What a call costs when nothing fails, beside other crates, in one run.
//!
//! `cargo run --release -p retry-benches -- contention`. Only the ratios within one run mean
//! anything: the figures themselves are those of one machine on one day.

mod contention;
mod process;
mod storm;
mod table;

use lexopt::Arg;
use std::error::Error;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo run --release -p retry-benches -- BENCHMARK

Benchmarks:
  contention    what a call that succeeds asks of its downstream, by 1 thread
                and by 2 at the same time, beside tower's retry budget and
                failsafe's circuit breaker; about 15 seconds
  storm         what a simulated storm costs, from 1000 clients to a million;
                about two minutes

Options:
  --help        show this text";

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

/// What to do.
enum Request {
    Contention,
    Storm,
    Help,
}

fn main() -> ExitCode {
    let request = match parse() {
        Ok(request) => request,
        Err(error) => {
            eprintln!("retry-benches: {error}\n\n{HELP}");
            return ExitCode::from(USAGE_ERROR);
        }
    };
    match run(&request) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("retry-benches: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the arguments of this process.
fn parse() -> Result<Request, lexopt::Error> {
    let mut arguments = lexopt::Parser::from_env();
    let request = match arguments.next()? {
        Some(Arg::Value(name)) if name == "contention" => Request::Contention,
        Some(Arg::Value(name)) if name == "storm" => Request::Storm,
        Some(Arg::Long("help") | Arg::Short('h')) => Request::Help,
        Some(other) => return Err(other.unexpected()),
        None => return Err("nothing says which benchmark to run".into()),
    };
    match arguments.next()? {
        None => Ok(request),
        Some(other) => Err(other.unexpected()),
    }
}

fn run(request: &Request) -> Result<String, Box<dyn Error>> {
    if cfg!(debug_assertions) {
        eprintln!("built without optimisation, so the figures say nothing: use `--release`");
    }
    match request {
        Request::Contention => Ok(contention::run()?.to_string()),
        Request::Storm => Ok(storm::run()?.to_string()),
        Request::Help => Ok(HELP.to_owned()),
    }
}
