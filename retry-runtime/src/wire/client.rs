//! A tower layer that sends the scope along.

use super::send_scope;
use http::Request;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// Sends the current scope along with every request of a client; needs the feature `tower`.
///
/// It fits every [`Service`] of [`http::Request`]s, hyper's clients and tonic's channels among them.
/// The scope is that in which the service is called; see [`send_scope`] for what is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientLayer;

impl<S> Layer<S> for ClientLayer {
    type Service = ClientService<S>;

    fn layer(&self, inner: S) -> ClientService<S> {
        ClientService { inner }
    }
}

/// A client that sends the current scope along; see [`ClientLayer`].
#[derive(Clone, Debug)]
pub struct ClientService<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for ClientService<S>
where
    S: Service<Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> S::Future {
        send_scope(request.headers_mut());
        self.inner.call(request)
    }
}
