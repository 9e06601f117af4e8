//! What calls cost, beside other crates: the command line.

use lexopt::{Arg, ValueExt};
use retry_benches::{calls, contention};
use std::error::Error;
use std::process::ExitCode;
use tokio::runtime::Builder;

const HELP: &str = "\
Usage: cargo run --release -p retry-benches --features peers -- BENCHMARK

Benchmarks:
  calls         what one call costs: time, instructions, allocations, size;
                about a minute
  guard         the instructions of the calls that have a bar, and whether
                they keep it; fails if one does not
  contention    what a call that succeeds asks of its downstream, by 1 thread
                and by 2 at the same time; about 15 seconds

Without `--features peers` no other crate is built and measured.
Instructions are counted by valgrind, where there is one.

Options:
  --help        show this text";

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

/// What to do.
enum Request {
    Calls,
    Guard,
    Contention,
    /// What this program asks of itself.
    Work(Vec<String>),
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
            println!("{}", report.trim_end());
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
    let name = match arguments.next()? {
        Some(Arg::Value(name)) => name.string()?,
        Some(Arg::Long("help") | Arg::Short('h')) => return Ok(Request::Help),
        Some(other) => return Err(other.unexpected()),
        None => return Err("nothing says which benchmark to run".into()),
    };
    let request = match name.as_str() {
        "calls" => Request::Calls,
        "guard" => Request::Guard,
        "contention" => Request::Contention,
        other if calls::worker::knows(other) => {
            let rest = arguments.raw_args()?.map(ValueExt::string);
            let order = [Ok(name)].into_iter().chain(rest).collect::<Result<_, _>>()?;
            return Ok(Request::Work(order));
        }
        other => return Err(format!("there is no benchmark `{other}`").into()),
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
        Request::Calls => Ok(calls::run()?.to_string()),
        Request::Guard => Ok(calls::guard()?),
        Request::Contention => Ok(contention::run()?.to_string()),
        Request::Work(order) => {
            calls::worker::work(order, &Builder::new_current_thread().enable_time().build()?)
        }
        Request::Help => Ok(HELP.to_owned()),
    }
}
