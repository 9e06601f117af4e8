//! What goes over the wire, as client and server both know it.

use serde::{Deserialize, Serialize};

/// The body of `POST /charges`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewCharge {
    pub order: u32,
    pub cents: u32,
    /// Grows with every question that said "not applied"; see [`Closing`].
    #[serde(default)]
    pub generation: u32,
}

/// A charge that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub charge: i64,
    pub order: u32,
    pub cents: u32,
}

/// The body of `PUT /charges/{order}/closed`: the answer is the charge of the order, and if there is
/// none, then none of this generation or an earlier one will be made any more.
///
/// Without that promise "no charge" would be true for a moment only: a request that is still on its
/// way could arrive after the answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Closing {
    pub generation: u32,
}
