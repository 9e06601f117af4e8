//! What a service is told on its command line.

use lexopt::prelude::*;

/// The place of a service in the chain.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub name: String,
    /// Whom it calls; nobody if it is the leaf.
    pub next: Option<String>,
    pub grpc: bool,
    /// Whether it retries although its caller does.
    pub without_owner: bool,
    /// Whether the storage of the leaf hangs; it fails otherwise.
    pub hangs: bool,
}

impl Options {
    pub fn from_args() -> Result<Self, lexopt::Error> {
        let mut options = Self::default();
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("name") => options.name = arguments.value()?.string()?,
                Long("next") => options.next = Some(arguments.value()?.string()?),
                Long("grpc") => options.grpc = true,
                Long("without-owner") => options.without_owner = true,
                Long("hangs") => options.hangs = true,
                _ => return Err(argument.unexpected()),
            }
        }
        Ok(options)
    }
}
