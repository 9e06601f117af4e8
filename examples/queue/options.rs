//! The command line.

use crate::deliver::{LONGEST_LIFE, MOST_ATTEMPTS};
use lexopt::{Arg, Parser, ValueExt};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

pub(crate) const HELP: &str = "\
Usage: cargo run --example queue -- [ROLE] [OPTIONS]

Delivers events to subscribers that fail on purpose, through a queue in Redis,
with workers that are killed on purpose, and shows what became of each.

Roles:
  (none)            all of it at once, with a table at the end
  producer          puts one job into the queue and says its id
  worker            delivers jobs until it is killed

Redis is the one that REDIS_URL names. Without it, a redis-server in PATH is
started for as long as the program runs; the roles need REDIS_URL.

Options of producer and worker:
  --queue NAME      begins the names of all keys [default: events]

Options of producer:
  --url URL         where the subscriber listens; needed
  --event ID        by which the subscriber knows the event [default: event-1]
  --text TEXT       what is delivered [default: hello]
  --once            the subscriber knows no events: never deliver twice
  --attempts N      at most so many, 1 to 20 [default: 4]
  --deadline SECS   deliver until then, or not at all, up to 3600 [default: 60]

Options of worker:
  --name NAME       of which no other worker may be [default: by chance]
  --lease SECS      its jobs are taken over if it is dead for so long [default: 1]

  --help            show this text";

/// What to do.
pub(crate) enum Request {
    Show,
    Produce { queue: String, order: Order },
    Work { queue: String, name: String, lease: Duration },
    Help,
}

/// A job that is to be made.
pub(crate) struct Order {
    pub(crate) event: String,
    pub(crate) url: String,
    pub(crate) text: String,
    pub(crate) once: bool,
    pub(crate) attempts: u32,
    pub(crate) deadline: Duration,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            event: "event-1".to_owned(),
            url: String::new(),
            text: "hello".to_owned(),
            once: false,
            attempts: 4,
            deadline: Duration::from_secs(60),
        }
    }
}

/// Reads the arguments of this process.
pub(crate) fn parse() -> Result<Request, lexopt::Error> {
    let mut arguments = Parser::from_env();
    let role = match arguments.next()? {
        None => return Ok(Request::Show),
        Some(Arg::Long("help") | Arg::Short('h')) => return Ok(Request::Help),
        Some(Arg::Value(role)) => role.string()?,
        Some(other) => return Err(other.unexpected()),
    };
    match role.as_str() {
        "producer" => producer(&mut arguments),
        "worker" => worker(&mut arguments),
        other => Err(format!("{other:?} is no role; they are `producer` and `worker`").into()),
    }
}

fn producer(arguments: &mut Parser) -> Result<Request, lexopt::Error> {
    let (mut queue, mut order) = ("events".to_owned(), Order::default());
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("queue") => queue = arguments.value()?.string()?,
            Arg::Long("url") => order.url = arguments.value()?.string()?,
            Arg::Long("event") => order.event = arguments.value()?.string()?,
            Arg::Long("text") => order.text = arguments.value()?.string()?,
            Arg::Long("once") => order.once = true,
            Arg::Long("attempts") => order.attempts = attempts(arguments)?,
            Arg::Long("deadline") => order.deadline = seconds(arguments, "--deadline")?,
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            other => return Err(other.unexpected()),
        }
    }
    if order.url.is_empty() {
        return Err("--url is missing: it says where the subscriber listens".into());
    }
    Ok(Request::Produce { queue, order })
}

fn worker(arguments: &mut Parser) -> Result<Request, lexopt::Error> {
    // Process ids repeat, and in containers they are all the same.
    let (mut queue, mut name) = ("events".to_owned(), format!("{:016x}", rand::random::<u64>()));
    let mut lease = Duration::from_secs(1);
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("queue") => queue = arguments.value()?.string()?,
            Arg::Long("name") => name = arguments.value()?.string()?,
            Arg::Long("lease") => lease = seconds(arguments, "--lease")?,
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Request::Work { queue, name, lease })
}

fn number<T>(arguments: &mut Parser, option: &str) -> Result<T, lexopt::Error>
where
    T: FromStr<Err: Display>,
{
    let value = arguments.value()?.string()?;
    value.parse().map_err(|error| format!("{option} is {value:?}: {error}").into())
}

fn attempts(arguments: &mut Parser) -> Result<u32, lexopt::Error> {
    let attempts = number(arguments, "--attempts")?;
    if (1..=MOST_ATTEMPTS).contains(&attempts) {
        return Ok(attempts);
    }
    Err(format!("--attempts is {attempts}, but it has to be from 1 to {MOST_ATTEMPTS}").into())
}

fn seconds(arguments: &mut Parser, option: &str) -> Result<Duration, lexopt::Error> {
    let seconds = number(arguments, option)?;
    let (least, most) = (Duration::from_millis(10), LONGEST_LIFE);
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if (least..=most).contains(&duration) => Ok(duration),
        _ => Err(format!("{option} is {seconds}, but it is from 0.01 to 3600 seconds").into()),
    }
}
