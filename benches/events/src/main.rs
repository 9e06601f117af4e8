//! Measures calls that tell `tracing` and `metrics` what they do, while nobody listens, for
//! `retry-benches`, which starts it.

use retry_benches::calls::worker::work;
use retry_runtime::observe::Metrics;
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
            eprintln!("retry-benches-events: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Box<dyn Error>> {
    // Compiled in, and told nothing.
    let _ = Metrics;
    let order: Vec<String> = std::env::args().skip(1).collect();
    work(&order, &Builder::new_current_thread().enable_time().build()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use retry_benches::calls::worker::contenders;

    #[test]
    fn every_contender_works_with_the_features() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        for contender in contenders("ready") {
            let order = ["repeat", "ready", contender, "10"].map(ToOwned::to_owned);
            assert_eq!(work(&order, &runtime).unwrap(), "");
        }
    }
}
