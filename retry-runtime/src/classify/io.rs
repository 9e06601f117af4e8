//! What `std::io::Error` says about trying again.

use super::{Class, Classify};
use crate::error::Stopped;
use std::io::{Error, ErrorKind};

impl Classify for Error {
    fn classify(&self) -> Class {
        if let Some(stopped) = self.get_ref().and_then(|inner| inner.downcast_ref::<Stopped>()) {
            return stopped.classify();
        }
        match self.kind() {
            ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::NotConnected
            | ErrorKind::AddrNotAvailable => Class::TRANSIENT.not_sent(),
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::TimedOut
            | ErrorKind::UnexpectedEof
            | ErrorKind::Interrupted
            | ErrorKind::WouldBlock => Class::TRANSIENT,
            _ if is_lookup(self) => lookup(self).not_sent(),
            _ => Class::PERMANENT,
        }
    }
}

/// Whether no address was found. The standard library says so in words alone.
fn is_lookup(error: &Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.to_string().starts_with("failed to lookup address"))
}

/// `EAI_AGAIN` in the words of glibc and of musl: the name server could not be asked.
fn lookup(error: &Error) -> Class {
    let text = error.to_string();
    let again = ["Temporary failure in name resolution", "Try again"];
    if again.iter().any(|words| text.contains(words)) { Class::TRANSIENT } else { Class::PERMANENT }
}
