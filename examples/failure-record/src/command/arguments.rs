//! What may be written on the command line.

use crate::field::{FIELDS, Limits};
use crate::knobs::{KNOBS, Knob};
use crate::record::Record;
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;

const HELP: &str = "\
Usage: cargo run --example failure-record -- [WHAT] [OPTIONS]

What to show, simulated by the decision, budget and breaker of real calls:
  record              a group of requests that fail together, beside the same in
                      lockstep without a budget; this is the default
  contention          clients that write one row, with each kind of jitter
  outage              a server with a queue through an outage, with and without
                      jitter, budget and breaker
  trace FILE          calls that really happened: what `Trace::to_json_lines` wrote
  knob NAME           what a setting costs tight and what it costs loose:
                      ";

const OUTPUT: &str = "\
Output, if not a table and a plot:
  --json              the numbers as JSON
  --csv               the points as CSV
  --svg FILE          also draws the picture
  --serve             shows the record as a page, to this machine only
  --port N            of the page, 0 for any [default: 8010]
  --help              show this text";

const PORT: u16 = 8010;

/// What to do.
pub(super) enum Request {
    Help,
    Serve { port: u16, record: Record },
    Show(Arguments),
}

/// What to show, and how.
pub(super) struct Arguments {
    pub(super) what: What,
    pub(super) form: Form,
    pub(super) svg: Option<PathBuf>,
}

pub(super) enum What {
    Record(Record),
    Contention,
    Outage,
    Knob(&'static Knob),
    Trace(PathBuf),
}

#[derive(Clone, Copy)]
pub(super) enum Form {
    Text,
    Json,
    Csv,
}

/// Everything that is wrong with the arguments.
#[derive(Debug)]
pub(super) struct Refused(pub(super) Vec<String>);

impl<E: Into<lexopt::Error>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(vec![error.into().to_string()])
    }
}

/// The text of `--help`.
pub(super) fn help() -> String {
    let default = Record::default().written();
    let knobs: Vec<_> = KNOBS.iter().map(|knob| knob.name).collect();
    let mut help = format!("{HELP}{}\n\nFields of the record:\n", knobs.join(", "));
    for (field, (_, default)) in FIELDS.iter().zip(default) {
        let option = format!("--{}", field.name);
        // A string takes everything.
        let _ = writeln!(
            help,
            "  {option:<18}  {}\n{:22}{} [default: {default}]",
            field.about, "", field.takes
        );
    }
    let Limits { group, leaf_calls } = Limits::COMMAND_LINE;
    let _ = writeln!(
        help,
        "A group has up to {group} requests, which can make up to {leaf_calls} leaf calls.\n"
    );
    help + OUTPUT
}

/// Reads the arguments, without the name of the program.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, Refused> {
    let mut parser = Parser::from_args(arguments);
    let (mut what, mut fields) = (None, Vec::new());
    let (mut form, mut svg) = (Form::Text, None);
    let (mut serve, mut port) = (false, PORT);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Value(name) if what.is_none() => what = Some(self::what(name, &mut parser)?),
            Arg::Long("json") => form = Form::Json,
            Arg::Long("csv") => form = Form::Csv,
            Arg::Long("svg") => svg = Some(parser.value()?.into()),
            Arg::Long("serve") => serve = true,
            Arg::Long("port") => port = parser.value()?.parse()?,
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long(name) if FIELDS.iter().any(|field| field.name == name) => {
                let name = name.to_owned();
                fields.push((name, parser.value()?.string()?));
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if serve {
        return Ok(Request::Serve { port, record: record(&fields, Limits::PAGE)? });
    }
    let what = match what {
        None | Some(What::Record(_)) => What::Record(record(&fields, Limits::COMMAND_LINE)?),
        Some(_) if !fields.is_empty() => {
            return Err(Refused(vec![format!("--{} is a field of a record", fields[0].0)]));
        }
        Some(what) => what,
    };
    Ok(Request::Show(Arguments { what, form, svg }))
}

fn what(name: OsString, parser: &mut Parser) -> Result<What, Refused> {
    match name.string()?.as_str() {
        "record" => Ok(What::Record(Record::default())),
        "contention" => Ok(What::Contention),
        "outage" => Ok(What::Outage),
        "knob" => {
            let name = parser.value()?.string()?;
            let knob = KNOBS.iter().find(|knob| knob.name == name);
            knob.map(What::Knob).ok_or_else(|| Refused(vec![format!("there is no knob {name:?}")]))
        }
        "trace" => Ok(What::Trace(parser.value()?.into())),
        other => Err(Refused(vec![format!("there is nothing called {other:?} to simulate")])),
    }
}

fn record(fields: &[(String, String)], limits: Limits) -> Result<Record, Refused> {
    Record::read(fields, limits)
        .map_err(|errors| Refused(errors.iter().map(|error| format!("--{error}")).collect()))
}
