//! How calls over real sockets fail, and what that says of trying again.

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use http::StatusCode;
use retry_runtime::wire::{HttpError, ResponseExt, StatusError};
use retry_runtime::{Class, Classify, Policy, Stopped, classify, retry};
use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tonic::transport::Endpoint;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

/// A server that reads the head of a request, and then does this to its connection.
async fn server<F: Future<Output = ()> + Send + 'static>(then: fn(TcpStream) -> F) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 1024];
            let _ = stream.read(&mut head).await;
            tokio::spawn(then(stream));
        }
    });
    url
}

async fn closed_port() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

async fn get_text(url: &str) -> Result<String, HttpError> {
    let client = reqwest::Client::builder().timeout(Duration::from_millis(300)).build()?;
    Ok(client.get(url).send().await?.checked().await?.text().await?)
}

async fn class(url: &str) -> Class {
    let error = get_text(url).await.unwrap_err();
    println!("{error:?}");
    error.classify()
}

#[tokio::test]
async fn reqwest_a_refused_connection_was_not_sent() {
    assert_eq!(class(&closed_port().await).await, Class::TRANSIENT.not_sent());
}

#[tokio::test]
async fn reqwest_a_name_without_an_address_was_not_sent() {
    let class = class("http://no-such-host.invalid/").await;
    assert_eq!(class.delivery(), Class::TRANSIENT.not_sent().delivery());
}

#[tokio::test]
async fn reqwest_a_connection_that_is_reset_or_closed_may_have_been_delivered() {
    let reset = server(|stream: TcpStream| async move { stream.set_zero_linger().unwrap() }).await;
    assert_eq!(class(&reset).await, Class::TRANSIENT);
    let closed = server(|stream: TcpStream| async move { drop(stream) }).await;
    assert_eq!(class(&closed).await, Class::TRANSIENT);
}

#[tokio::test]
async fn reqwest_a_timeout_may_have_been_delivered() {
    let silent = server(|stream: TcpStream| async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        drop(stream);
    });
    assert_eq!(class(&silent.await).await, Class::TRANSIENT);
}

#[tokio::test]
async fn reqwest_an_answer_that_breaks_off_may_have_been_delivered() {
    let broken = server(|mut stream: TcpStream| async move {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").await;
    });
    assert_eq!(class(&broken.await).await, Class::TRANSIENT);
}

#[tokio::test]
async fn reqwest_what_cannot_be_sent_is_permanent_and_not_sent() {
    assert_eq!(class("http://").await, Class::PERMANENT.not_sent());
}

/// Domain table: 5xx, 429, 408 and 425 yes; 400, 401, 403, 404, 422 no.
#[tokio::test]
async fn reqwest_statuses_by_the_table_with_the_beginning_of_their_body() {
    let app = Router::new().route(
        "/{status}",
        get(async |axum::extract::Path(status): axum::extract::Path<u16>| {
            (StatusCode::from_u16(status).unwrap(), format!("this is {status}"))
        }),
    );
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });

    let rows = [
        (500, Class::TRANSIENT),
        (502, Class::TRANSIENT),
        (503, Class::TRANSIENT),
        (504, Class::TRANSIENT),
        (429, Class::THROTTLED),
        // Servers answer it in the middle of their work, too.
        (408, Class::TRANSIENT),
        (425, Class::TRANSIENT.refused()),
        (400, Class::PERMANENT.refused()),
        (401, Class::PERMANENT.refused()),
        (403, Class::PERMANENT.refused()),
        (404, Class::PERMANENT.refused()),
        (409, Class::PERMANENT.refused()),
        (422, Class::PERMANENT.refused()),
        (304, Class::PERMANENT),
    ];
    for (status, class) in rows {
        let error = get_text(&format!("{url}/{status}")).await.unwrap_err();
        assert_eq!(error.classify(), class, "{status}");
        assert_eq!(StatusCode::from_u16(status).unwrap().classify(), class, "{status}");
        let HttpError::Status(error) = error else { panic!("{error:?}") };
        let body = if status == 304 { String::new() } else { format!("this is {status}") };
        assert_eq!((error.status().as_u16(), error.text().into_owned()), (status, body));

        // The same by reqwest's own way, which loses the body.
        let response = reqwest::get(format!("{url}/{status}")).await.unwrap();
        if let Err(error) = response.error_for_status() {
            assert_eq!(error.classify(), class, "{status}");
        }
    }
    assert_eq!(get_text(&format!("{url}/200")).await.unwrap(), "this is 200");
}

#[test]
fn a_server_that_sheds_load_has_refused() {
    let status = |name, value: &'static str| {
        let headers = HeaderMap::from_iter([(
            http::HeaderName::from_static(name),
            http::HeaderValue::from_static(value),
        )]);
        StatusError::new(StatusCode::SERVICE_UNAVAILABLE, &headers, b"").classify()
    };
    assert_eq!(status("x-envoy-overloaded", "true"), Class::THROTTLED);
    let busy = status("retry-after", "3");
    assert!(busy.is_throttled());
    assert_eq!(busy.delivery(), Class::TRANSIENT.delivery(), "it does not say what it did");
}

const ONCE: Policy = Policy::fixed(Duration::from_millis(1)).deadline(Duration::from_secs(1));

/// A write with this key is still in progress: come back with the same key. Whether it is applied
/// in the end nobody knows yet.
#[tokio::test]
async fn a_conflict_is_retried_with_the_same_key_and_other_refusals_never() {
    #[retry(policy = ONCE, idempotency_key = "order-1", allow(key_unused = "a test"))]
    async fn write(
        status: u16,
        attempts: &std::cell::Cell<u32>,
    ) -> Result<(), retry_runtime::Error<StatusError>> {
        attempts.set(attempts.get() + 1);
        Err(StatusError::new(StatusCode::from_u16(status).unwrap(), &HeaderMap::new(), b""))
    }
    for (status, expected) in [(409, 3), (422, 1), (400, 1)] {
        let attempts = std::cell::Cell::new(0);
        let error = write(status, &attempts).await.unwrap_err();
        assert_eq!((attempts.get(), error.attempts()), (expected, expected), "{status}");
    }
}

async fn grpc(url: &str) -> Status {
    let endpoint = Endpoint::from_shared(url.to_owned()).unwrap();
    let channel = endpoint.timeout(Duration::from_millis(300)).connect_lazy();
    HealthClient::new(channel).check(HealthCheckRequest::default()).await.unwrap_err()
}

#[tokio::test]
async fn tonic_a_refused_connection_was_not_sent() {
    assert_eq!(grpc(&closed_port().await).await.classify(), Class::TRANSIENT.not_sent());
}

#[tokio::test]
async fn tonic_a_connection_that_breaks_and_a_timeout_may_have_been_delivered() {
    let closed = grpc(&server(|stream: TcpStream| async move { drop(stream) }).await).await;
    assert_eq!(closed.classify(), Class::TRANSIENT, "{closed:?}");
    let silent = server(|stream: TcpStream| async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        drop(stream);
    });
    let silent = grpc(&silent.await).await;
    assert_eq!(silent.classify(), Class::TRANSIENT, "{silent:?}");
}

#[test]
fn tonic_codes_by_the_table() {
    let rows = [
        (Code::Unavailable, Class::TRANSIENT),
        (Code::DeadlineExceeded, Class::TRANSIENT),
        (Code::ResourceExhausted, Class::THROTTLED),
        (Code::InvalidArgument, Class::PERMANENT.refused()),
        (Code::NotFound, Class::PERMANENT.refused()),
        (Code::AlreadyExists, Class::PERMANENT.refused()),
        (Code::PermissionDenied, Class::PERMANENT.refused()),
        (Code::Unauthenticated, Class::PERMANENT.refused()),
        (Code::FailedPrecondition, Class::PERMANENT.refused()),
        (Code::Aborted, Class::PERMANENT.refused()),
        (Code::OutOfRange, Class::PERMANENT.refused()),
        (Code::Unimplemented, Class::PERMANENT.refused()),
        (Code::Internal, Class::PERMANENT),
        (Code::Unknown, Class::PERMANENT),
        (Code::DataLoss, Class::PERMANENT),
        (Code::Cancelled, Class::PERMANENT),
    ];
    for (code, class) in rows {
        assert_eq!(Status::new(code, "").classify(), class, "{code}");
    }
}

/// Proposal A6: not negative is a wait, negative or junk is "never".
#[test]
fn tonic_pushback() {
    let pushed = |code, values: &[&'static str]| {
        let mut status = Status::new(code, "");
        for value in values {
            status.metadata_mut().append("grpc-retry-pushback-ms", value.parse().unwrap());
        }
        status.classify()
    };
    let wait = |class: Class, millis| class.retry_after(Duration::from_millis(millis));
    assert_eq!(pushed(Code::Unavailable, &["123"]), wait(Class::TRANSIENT, 123));
    assert_eq!(pushed(Code::Unavailable, &["0"]), wait(Class::TRANSIENT, 0));
    for never in ["-1", "", "junk", "1.5", "99999999999"] {
        assert_eq!(pushed(Code::Unavailable, &[never]), Class::PERMANENT, "{never}");
    }
    assert_eq!(pushed(Code::Unavailable, &["1", "2"]), Class::PERMANENT);
    // A status that is not retried stays so: the hint only says when.
    let refused = pushed(Code::NotFound, &["123"]);
    assert_eq!((refused.is_retryable(), refused.hint()), (false, Some(Duration::from_millis(123))));
}

#[derive(Debug, thiserror::Error)]
#[error("wrapped")]
struct Wrapped(#[source] Box<dyn Error + Send + Sync>);

#[tokio::test]
async fn wrappers_and_chains_of_sources_keep_the_class() {
    let errors: Vec<(Box<dyn Error + Send + Sync>, Class)> = vec![
        (Box::new(get_text(&closed_port().await).await.unwrap_err()), Class::TRANSIENT.not_sent()),
        (
            Box::new(reqwest::get(closed_port().await).await.unwrap_err()),
            Class::TRANSIENT.not_sent(),
        ),
        (Box::new(grpc(&closed_port().await).await), Class::TRANSIENT.not_sent()),
        (
            Box::new(StatusError::new(StatusCode::TOO_MANY_REQUESTS, &HeaderMap::new(), b"")),
            Class::THROTTLED,
        ),
        (Box::new(std::io::Error::from(std::io::ErrorKind::ConnectionReset)), Class::TRANSIENT),
    ];
    for (error, class) in errors {
        assert_eq!(classify::known(&*error), class, "{error:?}");
        let wrapped = Wrapped(error);
        assert_eq!(classify::known(&wrapped), class, "{wrapped:?}");
        let twice = std::io::Error::other(Wrapped(Box::new(wrapped)));
        assert_eq!(classify::known(&twice), class, "{twice:?}");
    }
    assert_eq!(classify::known(&std::fmt::Error), Class::PERMANENT);
}

/// What a call of this crate gave up on stays given up on, whatever its last error was.
#[tokio::test(start_paused = true)]
async fn a_call_that_used_its_attempts_up_stays_permanent_in_a_chain() {
    #[retry(policy = ONCE, idempotent)]
    async fn read() -> Result<(), retry_runtime::Error<StatusError>> {
        Err(StatusError::new(StatusCode::BAD_GATEWAY, &HeaderMap::new(), b""))
    }
    let error = Wrapped(Box::new(read().await.unwrap_err()));
    assert!(!classify::known(&error).is_retryable());
    #[retry(policy = ONCE, idempotent)]
    async fn hangs() -> Result<(), Status> {
        std::future::pending().await
    }
    let status = hangs().await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(!status.classify().is_retryable());
    // The same for a caller in another process, who gets code and metadata alone.
    let mut sent = Status::new(status.code(), status.message());
    *sent.metadata_mut() = status.metadata().clone();
    assert!(!sent.classify().is_retryable());
    let stopped = Arc::new(Wrapped(Box::new(status)));
    assert!(stopped.source().and_then(|s| s.source()).is_some_and(|s| s.is::<Stopped>()));
}
