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

#[cfg(test)]
mod tests {
    use super::*;
    use retry_benches::calls::worker::contenders;

    #[test]
    fn every_contender_fails_twice_and_succeeds_then_on_a_clock_that_is_virtual() {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.unwrap();
        for contender in contenders("fails-twice") {
            let order = ["repeat", "fails-twice", contender, "10"].map(ToOwned::to_owned);
            assert_eq!(work(&order, &runtime).unwrap(), "");
        }
    }
}
