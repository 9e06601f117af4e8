//! The command line.

use lexopt::{Arg, Parser, ValueExt};
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
Usage: cargo run --example trace -- [OPTIONS]

Places two orders at a server on this machine that fails on purpose, records all
calls, replays their decisions, and shows what happened as a timeline.

Options:
  --width N       how many columns the time axis has, 10 to 1000 [default: 48]
  --json FILE     writes the recording as JSON lines
  --read FILE     shows such a recording, and makes no calls
  --svg FILE      draws the timeline
  --text FILE     writes the timeline as it is printed
  --help          show this text";

/// What to do.
pub(crate) enum Request {
    Run(Options),
    Help,
}

pub(crate) struct Options {
    pub(crate) width: usize,
    pub(crate) json: Option<PathBuf>,
    pub(crate) read: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    pub(crate) text: Option<PathBuf>,
}

/// Reads the arguments of this process.
pub(crate) fn parse() -> Result<Request, lexopt::Error> {
    let mut options = Options { width: 48, json: None, read: None, svg: None, text: None };
    let mut arguments = Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("width") => options.width = width(&mut arguments)?,
            Arg::Long("json") => options.json = Some(arguments.value()?.into()),
            Arg::Long("read") => options.read = Some(arguments.value()?.into()),
            Arg::Long("svg") => options.svg = Some(arguments.value()?.into()),
            Arg::Long("text") => options.text = Some(arguments.value()?.into()),
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Request::Run(options))
}

fn width(arguments: &mut Parser) -> Result<usize, lexopt::Error> {
    let width = arguments.value()?.parse()?;
    if (10..=1_000).contains(&width) {
        return Ok(width);
    }
    Err(format!("--width is {width}, but it has to be from 10 to 1000").into())
}
