//! How placing one order ended.

use crate::api::Receipt;
use retry_runtime::Stopped;

/// What the caller knows of an order when it stops.
#[derive(Debug)]
pub(crate) enum Placed {
    /// The server answered with a receipt.
    Confirmed(Receipt),
    /// The charge stayed without an answer, but a lookup found it.
    Found { receipt: Receipt, charge: Stopped },
    /// The server says of every attempt that it did not act on it.
    NotCharged(Stopped),
    /// Charged or not, nobody can say; `lookup` is none if the server was asked and knew no charge.
    Unknown { charge: Stopped, lookup: Option<Stopped> },
    /// All that a loop written by hand can say: charged or not, it reports a failure.
    Failed,
}

impl Placed {
    /// How the charge stopped, if it did not succeed. A loop written by hand cannot say.
    pub(crate) fn charge_stopped(&self) -> Option<&Stopped> {
        match self {
            Self::NotCharged(charge)
            | Self::Found { charge, .. }
            | Self::Unknown { charge, .. } => Some(charge),
            Self::Confirmed(_) | Self::Failed => None,
        }
    }

    /// How the lookup stopped, if there was one without an answer.
    pub(crate) fn lookup_stopped(&self) -> Option<&Stopped> {
        match self {
            Self::Unknown { lookup, .. } => lookup.as_ref(),
            _ => None,
        }
    }

    /// The receipt, if the customer is told that the order is paid.
    pub(crate) fn receipt(&self) -> Option<&Receipt> {
        match self {
            Self::Confirmed(receipt) | Self::Found { receipt, .. } => Some(receipt),
            Self::NotCharged(_) | Self::Unknown { .. } | Self::Failed => None,
        }
    }
}
