//! tonic: its statuses are classified, and its requests take the scope along.

use super::outgoing::send_scope_by_grpc;
use crate::classify::{Class, Classify, cause, unconnected};
use crate::error::{FromStopped, Stopped};
use std::error::Error as _;
use std::io;
use std::time::Duration;
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Code, ConnectError, Request, Status};

/// When a server asks to be called again, in milliseconds; gRPC, proposal A6.
const PUSHBACK: &str = "grpc-retry-pushback-ms";

/// Sends the current scope along with every request of a client; needs the feature `tonic`.
///
/// It is an interceptor: `GreeterClient::with_interceptor(channel, SendScope)`. For what is written
/// see [`send_scope`](super::send_scope). On the side of the server, the layer of the feature
/// `tower` fits tonic's `Server::builder().layer(...)`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendScope;

impl Interceptor for SendScope {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let mut headers = std::mem::take(request.metadata_mut()).into_headers();
        send_scope_by_grpc(&mut headers);
        *request.metadata_mut() = MetadataMap::from_headers(headers);
        Ok(request)
    }
}

/// What a status says of trying again.
///
/// | code | class | delivery |
/// |---|---|---|
/// | none, because there was no connection | that of the [`io::Error`] | not sent |
/// | none, because the connection broke | that of the [`io::Error`] | unknown |
/// | `UNAVAILABLE` | transient | unknown |
/// | `DEADLINE_EXCEEDED`, and a timeout of this client | transient | unknown |
/// | `RESOURCE_EXHAUSTED` | throttled | refused |
/// | `INVALID_ARGUMENT`, `NOT_FOUND`, `ALREADY_EXISTS`, `PERMISSION_DENIED`, `UNAUTHENTICATED`, `FAILED_PRECONDITION`, `ABORTED`, `OUT_OF_RANGE`, `UNIMPLEMENTED` | permanent | refused |
/// | all else, and any of these for an answer that cannot be read | permanent | unknown |
///
/// `grpc-retry-pushback-ms` is the hint; a negative one, or one that is no number, makes the failure
/// permanent, as proposal A6 says. A stop of a call by this crate keeps its own class.
///
/// Only `UNAVAILABLE` is for everybody to repeat (gRPC's status codes; AIP-194). `ABORTED` asks to
/// repeat what is around the call, such as the transaction.
impl Classify for Status {
    fn classify(&self) -> Class {
        if let Some(stopped) = cause::<Stopped>(self) {
            return stopped.classify();
        }
        let broken = cause::<io::Error>(self);
        if cause::<ConnectError>(self).is_some() {
            return unconnected(broken);
        }
        if let Some(broken) = broken {
            return broken.classify();
        }
        let class = match self.code() {
            Code::Unavailable | Code::DeadlineExceeded => Class::TRANSIENT,
            Code::Cancelled if is_timeout(self) => Class::TRANSIENT,
            Code::ResourceExhausted if is_ours(self) => Class::PERMANENT,
            Code::ResourceExhausted => Class::THROTTLED,
            Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::Unauthenticated
            | Code::FailedPrecondition
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unimplemented
                if !is_ours(self) =>
            {
                Class::PERMANENT.refused()
            }
            _ => Class::PERMANENT,
        };
        match pushback(self.metadata()) {
            None => class,
            Some(Pushback::After(wait)) => class.retry_after(wait),
            Some(Pushback::Never) => class.permanent(),
        }
    }
}

/// Whether this end made the status of a broken stream, or of an answer that it could not read: then
/// the code is no answer of the server, which may have acted. Only the words tell the second kind.
fn is_ours(status: &Status) -> bool {
    const UNREADABLE: [&str; 3] = [
        "Error, decoded message length too large",
        "Error decompressing",
        "Content is compressed with",
    ];
    status.source().is_some() || UNREADABLE.iter().any(|words| status.message().starts_with(words))
}

/// tonic reports its own timeout as a call that was cancelled.
fn is_timeout(status: &Status) -> bool {
    status.message() == "Timeout expired"
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pushback {
    After(Duration),
    Never,
}

fn pushback(metadata: &MetadataMap) -> Option<Pushback> {
    let mut values = metadata.get_all(PUSHBACK).iter();
    let value = values.next()?;
    let millis = |value: &MetadataValue<_>| value.to_str().ok()?.parse::<i32>().ok();
    let millis = millis(value).filter(|_| values.next().is_none());
    let wait = millis.and_then(|millis| u64::try_from(millis).ok()).map(Duration::from_millis);
    Some(wait.map_or(Pushback::Never, Pushback::After))
}

/// A stop as a status that also a caller in another process understands: one that must not be retried
/// carries a pushback of -1, which is proposal A6's word for it.
impl FromStopped for Status {
    fn from_stopped(stopped: Stopped) -> Self {
        use crate::error::Reason;
        let code = match stopped.reason() {
            Reason::Deadline => Code::DeadlineExceeded,
            Reason::InvalidKey => Code::InvalidArgument,
            Reason::UnknownOutcome => Code::Unknown,
            _ => Code::Unavailable,
        };
        let mut status = Self::new(code, stopped.to_string());
        if !stopped.classify().is_retryable() {
            // Whoever gets this status over the wire must not retry it either.
            status.metadata_mut().insert(PUSHBACK, MetadataValue::from_static("-1"));
        }
        status.set_source(std::sync::Arc::new(stopped));
        status
    }
}
