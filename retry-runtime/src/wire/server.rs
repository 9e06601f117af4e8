//! A tower layer that takes the scope of a request up.

use super::Incoming;
use crate::scope::{InScope, Scoped};
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderName, Request, Response, StatusCode};
use pin_project_lite::pin_project;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Sleep, sleep_until};
use tower_layer::Layer;
use tower_service::Service;

/// Runs every request of a server in the scope that its headers describe; needs the feature `tower`.
///
/// It fits axum's routers, tonic's servers and every other [`Service`] of [`http::Request`]s.
/// Annotated calls in a handler end by the deadline of the request and leave the retries to its
/// owner. At the deadline the handler itself is dropped, and the answer is 504, or for gRPC the
/// status `DEADLINE_EXCEEDED`: nobody waits for it any more. A body that is still being sent then is
/// not cut.
///
/// ```
/// use retry_runtime::wire::ServerLayer;
/// use std::time::Duration;
///
/// let scopes = ServerLayer::new(Duration::from_secs(2));
/// // let app = axum::Router::new().route("/", get(handler)).layer(scopes.clone());
/// assert_eq!(scopes.ignored(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct ServerLayer {
    incoming: Arc<Incoming>,
}

impl ServerLayer {
    /// No request lasts longer than `maximum`, whatever its headers say.
    #[must_use]
    pub fn new(maximum: Duration) -> Self {
        Self::reading(Incoming::new(maximum))
    }

    /// Requests are read as this says.
    #[must_use]
    pub fn reading(incoming: Incoming) -> Self {
        Self { incoming: Arc::new(incoming) }
    }

    /// How many headers made no sense so far.
    #[must_use]
    pub fn ignored(&self) -> u64 {
        self.incoming.ignored()
    }
}

impl<S> Layer<S> for ServerLayer {
    type Service = ServerService<S>;

    fn layer(&self, inner: S) -> ServerService<S> {
        ServerService { inner, incoming: Arc::clone(&self.incoming) }
    }
}

/// A server whose handlers run in the scopes of their requests; see [`ServerLayer`].
#[derive(Clone, Debug)]
pub struct ServerService<S> {
    inner: S,
    incoming: Arc<Incoming>,
}

impl<S, B, R> Service<Request<B>> for ServerService<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    R: Default,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Serving<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Serving<S::Future> {
        let scope = self.incoming.scope(request.headers());
        let kind = request.headers().get(CONTENT_TYPE);
        let is_grpc = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
        let end = scope.deadline().map(sleep_until);
        Serving { work: self.inner.call(request).with_scope(scope), end, is_grpc }
    }
}

pin_project! {
    /// A request that is being served; see [`ServerLayer`].
    pub struct Serving<F> {
        #[pin]
        work: Scoped<F>,
        #[pin]
        end: Option<Sleep>,
        is_grpc: bool,
    }
}

impl<F, R, E> Future for Serving<F>
where
    F: Future<Output = Result<Response<R>, E>>,
    R: Default,
{
    type Output = Result<Response<R>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(answer) = this.work.poll(cx) {
            return Poll::Ready(answer);
        }
        match this.end.as_pin_mut() {
            Some(end) => ready!(end.poll(cx)),
            None => return Poll::Pending,
        }
        Poll::Ready(Ok(too_late(*this.is_grpc)))
    }
}

fn too_late<R: Default>(is_grpc: bool) -> Response<R> {
    /// `DEADLINE_EXCEEDED`, which gRPC sends with an HTTP status of 200.
    const GRPC_STATUS: (HeaderName, HeaderValue) =
        (HeaderName::from_static("grpc-status"), HeaderValue::from_static("4"));

    let mut response = Response::new(R::default());
    if is_grpc {
        let (name, value) = GRPC_STATUS;
        response.headers_mut().insert(name, value);
        let kind = HeaderValue::from_static("application/grpc");
        response.headers_mut().insert(CONTENT_TYPE, kind);
    } else {
        *response.status_mut() = StatusCode::GATEWAY_TIMEOUT;
    }
    response
}

impl<F> fmt::Debug for Serving<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving").field("is_grpc", &self.is_grpc).finish_non_exhaustive()
    }
}
