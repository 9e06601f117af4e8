//! What calls cost, beside other crates: the command line.

use lexopt::{Arg, ValueExt};
use retry_benches::{calls, compile, contention, events, storm};
use std::error::Error;
use std::fs;
use std::path::Path;
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
  storm         what a simulated storm costs, from 1000 clients to a million;
                about two minutes
  events        what tracing and metrics cost a call while nobody listens;
                about a minute
  compile       what an annotation costs the compiler; about 8 minutes, and
                needs a network the first time

Without `--features peers` no other crate is built and measured.
Instructions are counted by valgrind, where there is one.

Options:
  --write       write the tables into benches/figures, too
  --help        show this text";

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

/// What to do.
enum Request {
    Benchmark {
        name: String,
        write: bool,
    },
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
    if calls::worker::knows(&name) {
        let rest = arguments.raw_args()?.map(ValueExt::string);
        let order = [Ok(name)].into_iter().chain(rest).collect::<Result<_, _>>()?;
        return Ok(Request::Work(order));
    }
    let mut write = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("write") => write = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Request::Benchmark { name, write })
}

fn run(request: &Request) -> Result<String, Box<dyn Error>> {
    if cfg!(debug_assertions) {
        eprintln!("built without optimisation, so the figures say nothing: use `--release`");
    }
    match request {
        Request::Benchmark { name, write } => {
            let report = benchmark(name)?;
            if *write {
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("figures").join(name);
                fs::write(file.with_extension("md"), &report)?;
            }
            Ok(report)
        }
        Request::Work(order) => {
            calls::worker::work(order, &Builder::new_current_thread().enable_time().build()?)
        }
        Request::Help => Ok(HELP.to_owned()),
    }
}

fn benchmark(name: &str) -> Result<String, Box<dyn Error>> {
    match name {
        "calls" => Ok(calls::run()?.to_string()),
        "guard" => calls::guard(),
        "contention" => Ok(contention::run()?.to_string()),
        "events" => Ok(events::run()?.to_string()),
        "storm" => Ok(storm::run()?.to_string()),
        "compile" => Ok(compile::run()?.to_string()),
        other => Err(format!("there is no benchmark `{other}`").into()),
    }
}
