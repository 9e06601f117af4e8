//! What goes over the wire, as client and server both know it.

use hyper::header::HeaderName;
use serde::{Deserialize, Serialize};

/// One value per charge; a server that has seen it answers with the charge that it has.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Tells the fault injector whose turn it is. The payment server does not look at it.
pub(crate) const X_ORDER: HeaderName = HeaderName::from_static("x-order");

/// The body of `POST /charges`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NewCharge {
    pub(crate) order: u32,
    pub(crate) cents: u32,
}

/// The answer to it, and to `GET /charges/{order}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) charge: i64,
    pub(crate) order: u32,
    pub(crate) cents: u32,
}
