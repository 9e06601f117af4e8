//! Shows what happened in a few calls to a server on this machine that fails on purpose.
//!
//! Everything is recorded, replayed by the decision function, and shown as a timeline.

mod options;
mod server;
mod shop;

use options::{Options, Request};
use retry_runtime::{Trace, record};
use server::Server;
use shop::{Order, Shop};
use std::error::Error;
use std::fs;
use std::process::ExitCode;

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let options = match options::parse() {
        Ok(Request::Run(options)) => options,
        Ok(Request::Help) => {
            println!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("trace: {error}\n\n{}", options::HELP);
            return ExitCode::from(USAGE_ERROR);
        }
    };
    match run(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("trace: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let trace = match &options.read {
        Some(file) => Trace::from_json_lines(&fs::read_to_string(file)?)?,
        None => shopping().await?,
    };
    let width = options.width;
    let timeline = format!("{trace:width$}");
    print!("{timeline}");
    println!("\nReplayed: {} decisions, and each is the same again.", trace.replay()?);
    if let Some(file) = &options.text {
        fs::write(file, timeline)?;
    }
    if let Some(file) = &options.svg {
        fs::write(file, trace.to_svg())?;
    }
    if let Some(file) = &options.json {
        fs::write(file, trace.to_json_lines())?;
    }
    Ok(())
}

/// Places two orders, of which the second cannot be placed.
async fn shopping() -> Result<Trace, Box<dyn Error>> {
    let server = Server::start().await?;
    let shop = Shop::at(server.address());
    let orders = async {
        let placed = shop.place(&Order { key: "order-1", cents: 1_999 }).await;
        let refused = shop.place(&Order { key: "order-2", cents: 5 }).await;
        (placed, refused)
    };
    let ((placed, refused), trace) = record(orders).await;
    let receipt = placed?;
    println!("Charged {} cents in {}.", receipt.cents, receipt.currency);
    match refused {
        Ok(receipt) => return Err(format!("{receipt:?} was charged in spite of all").into()),
        Err(error) => println!("The other order was not placed: {error}.\n"),
    }
    Ok(trace)
}
