//! The bank over HTTP. It knows nothing of the faults around it.

use crate::api::{Closing, NewCharge, Receipt};
use crate::store::{Charged, Store, StoreError};
use axum::extract::{Path, State};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use http::StatusCode;
use retry_runtime::IdempotencyKey;
use retry_runtime::idempotency_key;
use retry_runtime::wire::ServerLayer;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What the bank makes of the keys of charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// One charge for each, and none without.
    Honoured,
    /// Nothing: each request is a charge.
    Ignored,
}

struct Bank {
    store: Store,
    keys: Keys,
    in_progress: Mutex<HashSet<IdempotencyKey>>,
}

/// Longer than any client waits.
const LONGEST: Duration = Duration::from_secs(30);

pub fn router(store: Store, keys: Keys) -> Router {
    let bank = Bank { store, keys, in_progress: Mutex::default() };
    Router::new()
        .route("/charges", post(charge))
        .route("/charges/{order}", get(find))
        .route("/charges/{order}/closed", put(close))
        .layer(ServerLayer::new(LONGEST))
        .with_state(Arc::new(bank))
}

async fn charge(
    State(bank): State<Arc<Bank>>,
    Json(asked): Json<NewCharge>,
) -> Result<(StatusCode, Json<Receipt>), StatusCode> {
    if bank.keys == Keys::Ignored {
        return match bank.store.charge(asked, None).await.map_err(internal)? {
            Charged::Now(receipt) | Charged::Before(receipt) => {
                Ok((StatusCode::CREATED, Json(receipt)))
            }
            Charged::Closed => Err(StatusCode::GONE),
        };
    }
    let key = idempotency_key().ok_or(StatusCode::BAD_REQUEST)?;
    let _in_progress = InProgress::enter(&bank, &key).ok_or(StatusCode::CONFLICT)?;
    match bank.store.charge(asked.clone(), Some(key.to_string())).await.map_err(internal)? {
        Charged::Now(receipt) => Ok((StatusCode::CREATED, Json(receipt))),
        Charged::Before(receipt) if is_for(&receipt, &asked) => Ok((StatusCode::OK, Json(receipt))),
        // One key for two different charges is a mistake of the client.
        Charged::Before(_) | Charged::Closed => Err(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

async fn find(
    State(bank): State<Arc<Bank>>,
    Path(order): Path<u32>,
) -> Result<Json<Receipt>, StatusCode> {
    let found = bank.store.find(order).await.map_err(internal)?;
    found.map(Json).ok_or(StatusCode::NOT_FOUND)
}

async fn close(
    State(bank): State<Arc<Bank>>,
    Path(order): Path<u32>,
    Json(closing): Json<Closing>,
) -> Result<Json<Option<Receipt>>, StatusCode> {
    bank.store.close(order, closing).await.map(Json).map_err(internal)
}

fn is_for(receipt: &Receipt, asked: &NewCharge) -> bool {
    (receipt.order, receipt.cents) == (asked.order, asked.cents)
}

fn internal(error: StoreError) -> StatusCode {
    eprintln!("bank: {error}");
    StatusCode::INTERNAL_SERVER_ERROR
}

/// A charge that is being made under a key. It gives way to the next one also where its client has
/// hung up: the database still makes one row of the key.
struct InProgress<'b> {
    bank: &'b Bank,
    key: IdempotencyKey,
}

impl<'b> InProgress<'b> {
    fn enter(bank: &'b Bank, key: &IdempotencyKey) -> Option<Self> {
        let mut keys = bank.in_progress.lock().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key.clone()).then(|| Self { bank, key: key.clone() })
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.bank.in_progress.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
