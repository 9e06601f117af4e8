//! Events are delivered through a queue in Redis by workers that are killed, and none of them is
//! attempted more often, or for longer, than its scope allows.
//!
//! Run it with `cargo run --example queue`. Read [`deliver`] first, and then [`worker`]: that is all
//! that `retry` has to do with a queue. [`lease`] says who may write to a job. The rest is Redis, the
//! subscribers, and the report.

mod case;
mod deliver;
mod demo;
mod ending;
mod job;
mod lease;
mod options;
mod process;
mod queue;
mod report;
mod server;
mod subscriber;
mod worker;

use job::Job;
use options::Request;
use queue::Queue;
use std::env;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use worker::Worker;

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let request = match options::parse() {
        Ok(request) => request,
        Err(error) => {
            eprintln!("queue: {error}\n\n{}", options::HELP);
            return ExitCode::from(USAGE_ERROR);
        }
    };
    match run(request).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("queue: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(request: Request) -> Result<bool, Box<dyn Error>> {
    match request {
        Request::Help => say(options::HELP)?,
        Request::Show => return demo::show().await,
        Request::Produce { queue, order } => {
            let queue = Queue::open(&redis()?, &queue).await?;
            say(queue.put(&Job::of(order)).await?)?;
        }
        Request::Work { queue, name, lease } => {
            let queue = Queue::open(&redis()?, &queue).await?;
            match Worker::new(name, queue, lease).run().await? {}
        }
    }
    Ok(true)
}

/// Where producers and workers meet.
fn redis() -> Result<String, &'static str> {
    env::var("REDIS_URL").map_err(|_| "REDIS_URL is not set, such as to redis://127.0.0.1:6379")
}

/// A reader who has seen enough, such as `head`, is no failure.
fn say(text: impl Display) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
