//! Two thousand orders through a payment server that cuts connections, twice: once through an
//! annotated function, once through a retry loop as it is often written by hand.
//!
//! Run it with `cargo run --example checkout`. Read [`client`] first: it is all that a user of
//! `retry` writes. [`naive`] is what it replaces. The rest is the server, its faults, and the report.

mod api;
mod client;
mod faults;
mod journal;
mod load;
mod naive;
mod options;
mod placed;
mod report;
mod server;
mod store;
mod story;
mod tally;
mod transport;
mod wire;

use options::{Options, Request};
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use story::Story;
use tally::Tally;

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let request = match options::parse() {
        Ok(request) => request,
        Err(error) => {
            eprintln!("checkout: {error}\n\n{}", options::HELP);
            return ExitCode::from(USAGE_ERROR);
        }
    };
    let result = match request {
        Request::Help => say(options::HELP).map(|()| true).map_err(Box::from),
        Request::Run(options) => compare(&options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("checkout: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs both sides, each with a server and a database of its own, and says whether the annotated
/// one kept its promises.
#[tokio::main]
async fn compare(options: &Options) -> Result<bool, Box<dyn Error>> {
    say(report::Opening(options))?;
    let annotated = load::run(options, client::place).await?;
    let by_hand = load::run(options, naive::place).await?;
    say(Story(&annotated))?;
    let (annotated, by_hand) = (Tally::of(&annotated), Tally::of(&by_hand));
    say(report::Table { annotated: &annotated, by_hand: &by_hand })?;
    say(report::Verdict { annotated: &annotated, by_hand: &by_hand })?;
    Ok(annotated.keeps_its_promises())
}

/// A reader who has seen enough, such as `head`, is no failure.
fn say(text: impl Display) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
