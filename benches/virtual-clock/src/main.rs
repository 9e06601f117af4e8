//! Measures calls whose pauses pass on a virtual clock, for `retry-benches`, which starts it.

use retry_benches::calls::worker::work;
use std::error::Error;
use std::process::ExitCode;
use tokio::runtime::Builder;

fn main() -> ExitCode {
    match run() {
        Ok(answer) => {
            print!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("retry-benches-virtual-clock: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Box<dyn Error>> {
    let order: Vec<String> = std::env::args().skip(1).collect();
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
    work(&order, &runtime)
}
