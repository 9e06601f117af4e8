//! Why the page shows nothing.

use crate::field::FieldError;
use crate::svg::Undrawn;
use crate::trace::Unreadable;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use retry_runtime::storm::StormError;
use serde_json::{Value, json};

/// Why a request is not answered with numbers.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("some fields are refused")]
    Fields(Vec<FieldError>),
    #[error(transparent)]
    Trace(#[from] Unreadable),
    #[error("this took too long: write fewer requests, attempts or layers")]
    TooLong,
    #[error(transparent)]
    Storm(StormError),
    #[error(transparent)]
    Undrawn(#[from] Undrawn),
    #[error("the computation broke down")]
    Broken,
}

impl From<StormError> for Refusal {
    fn from(error: StormError) -> Self {
        if error == StormError::BrokenOff { Self::TooLong } else { Self::Storm(error) }
    }
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Fields(_) | Self::Trace(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooLong => StatusCode::SERVICE_UNAVAILABLE,
            Self::Storm(_) | Self::Undrawn(_) | Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What is wrong with each field.
    fn errors(&self) -> Vec<Value> {
        let Self::Fields(errors) = self else { return Vec::new() };
        let error =
            |FieldError { field, message }: &_| json!({ "field": field, "message": message });
        errors.iter().map(error).collect()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "message": self.to_string(), "errors": self.errors() });
        (self.status(), Json(body)).into_response()
    }
}
