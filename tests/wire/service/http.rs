//! The service over HTTP: axum in, reqwest out.

use crate::options::Options;
use crate::storage::{self, Running};
use crate::{NEXT, THREE};
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use http::StatusCode;
use reqwest::Client;
use retry_runtime::wire::{HttpError, RequestExt, ResponseExt, ServerLayer};
use retry_runtime::{Error, retry};
use retry_wire_tests::log::Line;
use std::error::Error as StdError;
use std::sync::Arc;
use tokio::net::TcpListener;

struct Service {
    options: Options,
    client: Client,
}

pub async fn serve(
    listener: TcpListener,
    options: Options,
    scopes: ServerLayer,
) -> Result<(), Box<dyn StdError>> {
    let service = Service { options, client: Client::new() };
    let app = Router::new().route("/", get(answer)).layer(scopes).with_state(Arc::new(service));
    Ok(axum::serve(listener, app).await?)
}

async fn answer(State(service): State<Arc<Service>>) -> StatusCode {
    let Service { options, client } = &*service;
    println!("{}", Line::now(&options.name, "asked"));
    let _running = Running(&options.name);
    let done = match &options.next {
        Some(next) => call(client, next).await.is_ok(),
        None => storage::load(options).await.is_ok(),
    };
    println!("{}", Line::now(&options.name, "answered"));
    if done { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

#[retry(policy = THREE, downstream = NEXT, idempotent)]
async fn call(client: &Client, next: &str) -> Result<(), Error<HttpError>> {
    client.get(next).send_in_scope().await?.checked().await?;
    Ok(())
}
