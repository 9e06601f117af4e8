//! The command line.

use lexopt::{Arg, Parser, ValueExt};
use std::fmt::Display;
use std::str::FromStr;

pub(crate) const HELP: &str = "\
Usage: cargo run --example checkout -- [OPTIONS]

Places orders with a payment server that fails on purpose, through a function
annotated with #[retry] and through a loop written by hand, and compares them.

Options:
  --orders N        how many orders each side places, 1 to 100000 [default: 2000]
  --seed N          which faults happen: the same seed, the same faults [default: 1]
  --fault-rate R    how many requests fail, as a fraction from 0 to 1 [default: 0.3]
  --help            show this text";

const MOST_ORDERS: u32 = 100_000;

/// What to do.
pub(crate) enum Request {
    Run(Options),
    Help,
}

/// The load and its faults.
pub(crate) struct Options {
    pub(crate) orders: u32,
    pub(crate) seed: u64,
    pub(crate) fault_rate: f64,
}

/// Reads the arguments of this process.
pub(crate) fn parse() -> Result<Request, lexopt::Error> {
    let mut options = Options { orders: 2_000, seed: 1, fault_rate: 0.3 };
    let mut arguments = Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("orders") => options.orders = orders(&mut arguments)?,
            Arg::Long("seed") => options.seed = number(&mut arguments, "--seed")?,
            Arg::Long("fault-rate") => options.fault_rate = fault_rate(&mut arguments)?,
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Request::Run(options))
}

fn number<T>(arguments: &mut Parser, option: &str) -> Result<T, lexopt::Error>
where
    T: FromStr<Err: Display>,
{
    let value = arguments.value()?.string()?;
    value.parse().map_err(|error| format!("{option} is {value:?}: {error}").into())
}

fn orders(arguments: &mut Parser) -> Result<u32, lexopt::Error> {
    let orders = number(arguments, "--orders")?;
    if (1..=MOST_ORDERS).contains(&orders) {
        return Ok(orders);
    }
    Err(format!("--orders is {orders}, but it has to be from 1 to {MOST_ORDERS}").into())
}

fn fault_rate(arguments: &mut Parser) -> Result<f64, lexopt::Error> {
    let rate = number(arguments, "--fault-rate")?;
    // A range contains no NaN, so that is refused too.
    if (0.0..=1.0).contains(&rate) {
        return Ok(rate);
    }
    Err(format!("--fault-rate is {rate}, but it is a fraction from 0 to 1, such as 0.3").into())
}
