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
            _ => Class::PERMANENT,
        }
    }
}
