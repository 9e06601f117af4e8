//! The layers: what a handler sees of a request, and how long it may take.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::routing::get;
use retry_runtime::wire::{ClientLayer, Incoming, ServerLayer};
use retry_runtime::{Error, InScope, Policy, Reason, Scope, retry};
use std::io;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tower_layer::Layer;
use tower_service::Service;

type Headers<'h> = &'h [(&'h str, &'h str)];

async fn ask(mut app: impl AsService, headers: Headers<'_>) -> (StatusCode, String) {
    let mut request = Request::builder().uri("/");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = app.call(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// What axum's routers are, with and without layers.
trait AsService:
    Service<Request<Body>, Response = axum::response::Response, Error: std::fmt::Debug>
{
}

impl<S> AsService for S where
    S: Service<Request<Body>, Response = axum::response::Response, Error: std::fmt::Debug>
{
}

/// Says what it sees of the request.
async fn tell() -> String {
    let scope = Scope::current().expect("the layer puts it in force");
    format!(
        "{:016x} {} ms, attempt {}, {}",
        scope.root_id(),
        scope.time_left().as_millis(),
        scope.request_attempt(),
        if scope.has_owner() { "the caller retries" } else { "nobody retries" },
    )
}

fn app(scopes: ServerLayer) -> Router {
    Router::new().route("/", get(tell)).layer(scopes)
}

const EVERYTHING: Headers<'_> = &[
    ("x-envoy-expected-rq-timeout-ms", "80"),
    ("x-envoy-attempt-count", "2"),
    ("baggage", "retry-root=00000000075bcd15,retry-owner=caller,retry-limit=3"),
];

#[tokio::test(start_paused = true)]
async fn a_handler_sees_the_scope_of_its_request() {
    let (status, told) = ask(app(ServerLayer::new(Duration::from_secs(2))), EVERYTHING).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(told, "00000000075bcd15 80 ms, attempt 2, the caller retries");
}

#[tokio::test(start_paused = true)]
async fn a_server_may_decline_to_leave_the_retries_to_the_caller() {
    let incoming = Incoming::new(Duration::from_secs(2)).without_owner();
    let (_, told) = ask(app(ServerLayer::reading(incoming)), EVERYTHING).await;
    assert_eq!(told, "00000000075bcd15 80 ms, attempt 2, nobody retries");
}

#[tokio::test(start_paused = true)]
async fn nonsense_is_counted_by_the_layer_and_its_copies() {
    let scopes = ServerLayer::new(Duration::from_secs(2));
    let app = app(scopes.clone());
    for _ in 0..3 {
        let (status, told) = ask(app.clone(), &[("x-envoy-attempt-count", "many")]).await;
        assert_eq!(status, StatusCode::OK);
        assert!(told.ends_with(" 2000 ms, attempt 1, nobody retries"), "{told}");
    }
    assert_eq!(scopes.ignored(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_handler_ends_at_the_deadline_with_504_and_over_grpc_with_deadline_exceeded() {
    let hang = || async { sleep(Duration::from_secs(60)).await };
    let app = Router::new().route("/", get(hang)).layer(ServerLayer::new(Duration::from_secs(2)));
    for (headers, millis) in [(&[][..], 2_000), (&[("x-envoy-expected-rq-timeout-ms", "80")], 80)] {
        let start = Instant::now();
        assert_eq!(ask(app.clone(), headers).await, (StatusCode::GATEWAY_TIMEOUT, String::new()));
        assert_eq!(start.elapsed().as_millis() / 2, millis / 2);
    }
    let mut request = Request::new(Body::empty());
    request.headers_mut().insert("content-type", "application/grpc".parse().unwrap());
    request.headers_mut().insert("grpc-timeout", "80m".parse().unwrap());
    let response = app.clone().call(request).await.unwrap();
    assert_eq!(
        (response.status(), &response.headers()["grpc-status"]),
        (StatusCode::OK, &"4".parse().unwrap())
    );
}

const THREE: Policy = Policy::fixed(Duration::from_millis(10)).deadline(Duration::from_secs(9));
const ONCE: Policy = Policy::once().deadline(Duration::from_secs(9));

#[retry(policy = ONCE, once)]
async fn write() -> Result<&'static str, Error<io::Error>> {
    Ok("sent")
}

async fn write_and_tell() -> String {
    write().await.map_or_else(|error| error.reason().to_string(), str::to_owned)
}

#[tokio::test(start_paused = true)]
async fn a_write_without_a_key_is_refused_in_a_second_attempt_of_the_caller() {
    let scopes = ServerLayer::new(Duration::from_secs(2));
    let app = Router::new().route("/", get(write_and_tell)).layer(scopes);
    assert_eq!(ask(app.clone(), &[("x-envoy-attempt-count", "1")]).await.1, "sent");
    let refused = Reason::NotOwner.to_string();
    assert_eq!(ask(app.clone(), &[("x-envoy-attempt-count", "2")]).await.1, refused);
    assert_eq!(ask(app, &[("grpc-previous-rpc-attempts", "1")]).await.1, refused);
}

/// A call through the client's layer into the server's, all in one process.
#[retry(policy = THREE, idempotent)]
async fn through(app: &Router) -> Result<String, Error<io::Error>> {
    let client = ClientLayer.layer(app.clone());
    match ask(client, &[]).await {
        (StatusCode::OK, told) if told.contains("attempt 3") => Ok(told),
        _ => Err(io::ErrorKind::ConnectionReset.into()),
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_clients_layer_sends_the_servers_layer_reads() {
    let app = app(ServerLayer::new(Duration::from_secs(2)));
    let request = Scope::root(Instant::now() + Duration::from_secs(1));
    let root = format!("{:016x}", request.root_id());
    let told = through(&app).with_scope(request).await.unwrap();
    assert!(told.starts_with(&root), "{told}");
    assert!(told.ends_with("attempt 3, the caller retries"), "{told}");
}
