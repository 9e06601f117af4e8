//! The payment server: two endpoints over the store. It knows nothing of the faults around it.

use crate::api::{IDEMPOTENCY_KEY, NewCharge, Receipt};
use crate::store::{Charged, Store, StoreError};
use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use hyper::http::HeaderValue;
use hyper::{HeaderMap, StatusCode};
use std::error::Error;

pub(crate) fn router(store: Store) -> Router {
    Router::new()
        .route("/charges", post(charge))
        .route("/charges/{order}", get(find))
        .with_state(store)
}

/// With a key that is known already, answers with the charge that is there. Without one, it has no
/// choice but to charge.
async fn charge(
    State(store): State<Store>,
    headers: HeaderMap,
    Json(asked): Json<NewCharge>,
) -> Result<(StatusCode, Json<Receipt>), StatusCode> {
    let key = headers.get(IDEMPOTENCY_KEY).map(HeaderValue::to_str).transpose();
    let key = key.map_err(|_| StatusCode::BAD_REQUEST)?.map(str::to_owned);
    match store.charge(asked.clone(), key).await.map_err(internal)? {
        Charged::Now(receipt) => Ok((StatusCode::CREATED, Json(receipt))),
        Charged::Before(receipt) if is_for(&receipt, &asked) => Ok((StatusCode::OK, Json(receipt))),
        // One key for two different charges is a mistake of the client.
        Charged::Before(_) => Err(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

async fn find(
    State(store): State<Store>,
    Path(order): Path<u32>,
) -> Result<Json<Receipt>, StatusCode> {
    let found = store.find(order).await.map_err(internal)?;
    found.map(Json).ok_or(StatusCode::NOT_FOUND)
}

fn is_for(receipt: &Receipt, asked: &NewCharge) -> bool {
    (receipt.order, receipt.cents) == (asked.order, asked.cents)
}

#[expect(clippy::needless_pass_by_value, reason = "made for `map_err`")]
fn internal(error: StoreError) -> StatusCode {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    eprintln!("payment server: {error}{cause}");
    StatusCode::INTERNAL_SERVER_ERROR
}
