//! The command line.

mod arguments;
mod output;

use crate::anatomy::Anatomy;
use crate::chart::Scene;
use crate::picture::Picture;
use crate::serve;
use crate::svg::Undrawn;
use crate::trace::{Recorded, Unreadable};
use crate::{contention, outage};
use arguments::{Arguments, Form, Refused, Request, What};
use indicatif::{ProgressBar, ProgressStyle};
use retry_runtime::storm::StormError;
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a shell expects of a program that was called in a wrong way.
const USAGE_ERROR: u8 = 2;

/// Why nothing was shown.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The arguments are wrong, each in a way of its own.
    #[error("{}", .0.join("\n"))]
    Arguments(Vec<String>),
    /// It was not simulated.
    #[error(transparent)]
    Storm(#[from] StormError),
    /// The file is no trace.
    #[error("{}: {error}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: Box<Unreadable>,
    },
    /// It was not drawn.
    #[error(transparent)]
    Undrawn(#[from] Undrawn),
    /// More points than any viewer shows.
    #[error(
        "a picture of {0} points is too large, and {MOST_POINTS} is the limit: write a smaller `--group`"
    )]
    Points(usize),
    /// The page has no place.
    #[error("port {port} cannot be had: {error}; `--port 0` takes any that is free")]
    Port {
        /// The one that was asked for.
        port: u16,
        /// What the system says.
        error: io::Error,
    },
    /// It was not written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// More than this no viewer shows.
const MOST_POINTS: usize = 20_000;

/// Does what these arguments say, without the name of the program, and says so on the standard
/// output.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match run(arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader who has seen enough, such as `head`, is no failure.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Arguments(errors)) => {
            for error in errors {
                eprintln!("failure-record: {error}");
            }
            eprintln!("\nWith --help it says what can be written.");
            ExitCode::from(USAGE_ERROR)
        }
        Err(failure) => {
            eprintln!("failure-record: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The same, and says so here.
///
/// # Errors
///
/// [`Failure`].
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match arguments::parse(arguments).map_err(|Refused(errors)| Failure::Arguments(errors))? {
        Request::Help => writeln!(out, "{}", arguments::help())?,
        Request::Serve { port, record } => {
            let listener = serve::listen(port).map_err(|error| Failure::Port { port, error })?;
            let address = listener.local_addr()?;
            writeln!(out, "http://{address}/{} (Ctrl-C ends it)", record.query())?;
            out.flush()?;
            serve::run(listener, serve::Settings::default())?;
        }
        Request::Show(Arguments { what, form, svg }) => {
            let shown = Shown::of(&what)?;
            if let Some(file) = svg {
                std::fs::write(file, shown.svg()?)?;
            }
            match form {
                Form::Text => write!(out, "{}", shown.text())?,
                Form::Json => writeln!(out, "{:#}", shown.json())?,
                Form::Csv => shown.csv(&mut *out)?,
            }
        }
    }
    Ok(())
}

/// What was simulated.
enum Shown {
    Record(Box<Anatomy>, Picture),
    Trace(Recorded),
    Scene(Scene),
}

impl Shown {
    fn of(what: &What) -> Result<Self, Failure> {
        let bar = bar();
        let watch = |share: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 0 to 1"
            )]
            bar.set_position((share * STEPS) as u64);
            ControlFlow::Continue(())
        };
        let shown = match what {
            What::Record(record) => {
                let anatomy = Anatomy::of(record, watch)?;
                let picture = Picture::of(&anatomy);
                Self::Record(Box::new(anatomy), picture)
            }
            What::Trace(file) => {
                let text = std::fs::read_to_string(file)?;
                let error =
                    |error| Failure::Unreadable { file: file.clone(), error: Box::new(error) };
                Self::Trace(Recorded::read(&text, MOST_POINTS).map_err(error)?)
            }
            What::Contention => Self::Scene(contention::scene(watch)?),
            What::Outage => Self::Scene(outage::scene(watch)?),
            What::Knob(knob) => Self::Scene(knob.scene(watch)?),
        };
        bar.finish_and_clear();
        Ok(shown)
    }
}

/// How finely the bar moves.
const STEPS: f64 = 1_000.0;

/// A bar on the terminal, if there is one.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %, {eta} left");
    let bar = ProgressBar::new(1_000);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
