//! A bank and an exchange that fail on purpose, each request in its own way.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use std::future::pending;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// It runs until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    running: JoinHandle<io::Result<()>>,
}

/// How often each of them was asked.
#[derive(Default)]
struct Asked {
    rates: AtomicU32,
    charges: AtomicU32,
}

impl Server {
    /// Starts on a free port of this machine.
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let routes = Router::new()
            .route("/rates/{currency}", get(rate))
            .route("/charges", post(charge))
            .route("/charges/{key}", get(find))
            .with_state(Arc::new(Asked::default()));
        let running = tokio::spawn(async { axum::serve(listener, routes).await });
        Ok(Self { address, running })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// The exchange is out of order for a moment.
async fn rate(State(asked): State<Arc<Asked>>, Path(currency): Path<String>) -> Response {
    sleep(Duration::from_millis(15)).await;
    match asked.rates.fetch_add(1, Relaxed) {
        0 | 3 => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => Json(json!({ "currency": currency, "price_of_100": 125 })).into_response(),
    }
}

/// The bank first says nothing at all, and later refuses what is too little.
async fn charge(
    State(asked): State<Arc<Asked>>,
    headers: HeaderMap,
    Json(charge): Json<serde_json::Value>,
) -> Response {
    if headers.get("idempotency-key").is_none() {
        return StatusCode::BAD_REQUEST.into_response();
    }
    if asked.charges.fetch_add(1, Relaxed) == 0 {
        return pending().await;
    }
    sleep(Duration::from_millis(40)).await;
    if charge["cents"].as_u64() < Some(100) {
        return StatusCode::UNPROCESSABLE_ENTITY.into_response();
    }
    (StatusCode::CREATED, Json(charge)).into_response()
}

/// Nothing was charged that the bank said nothing about.
async fn find(Path(_key): Path<String>) -> StatusCode {
    sleep(Duration::from_millis(20)).await;
    StatusCode::NOT_FOUND
}
