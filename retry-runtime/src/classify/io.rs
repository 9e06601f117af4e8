//! What `std::io::Error` says about trying again.

#[cfg(any(feature = "reqwest", feature = "tonic"))]
use super::Delivery;
use super::{Class, Classify};
use crate::error::Stopped;
use std::io::{Error, ErrorKind};

/// Only a refused connection, an address that is not there and a name without an address prove that
/// nothing was sent.
impl Classify for Error {
    fn classify(&self) -> Class {
        if let Some(stopped) = self.get_ref().and_then(|inner| inner.downcast_ref::<Stopped>()) {
            return stopped.classify();
        }
        match self.kind() {
            ErrorKind::ConnectionRefused | ErrorKind::AddrNotAvailable => {
                Class::TRANSIENT.not_sent()
            }
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::TimedOut
            | ErrorKind::UnexpectedEof
            // A connection that is lost on its way reports these, too, long after the request was
            // sent; so does one that is shut down after a reset.
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::NotConnected
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

/// What it says that there was no connection, for clients that can tell. One that was refused may be
/// accepted next time; a certificate stays wrong, and so does a name that nobody has.
#[cfg(any(feature = "reqwest", feature = "tonic"))]
pub(crate) fn unconnected(cause: Option<&Error>) -> Class {
    use ErrorKind::{InvalidData, InvalidInput, PermissionDenied, Unsupported};
    let class = cause.map_or(Class::TRANSIENT, Classify::classify);
    let class = match cause.map(Error::kind) {
        Some(InvalidData | InvalidInput | PermissionDenied | Unsupported) => Class::PERMANENT,
        _ if class.delivery() == Delivery::NotSent => class,
        _ => Class::TRANSIENT,
    };
    class.not_sent()
}
