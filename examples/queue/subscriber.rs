//! A subscriber of many moods, who remembers which attempts came in.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use std::future;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;

/// How a subscriber answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    Works,
    FailsTwice,
    Fails,
    /// The first event is never answered.
    HangsOnce,
    /// The first event is refused, and may come again in a second.
    BusyOnce,
}

impl Mood {
    const ALL: [Self; 5] =
        [Self::Works, Self::FailsTwice, Self::Fails, Self::HangsOnce, Self::BusyOnce];

    fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::FailsTwice => "fails-twice",
            Self::Fails => "fails",
            Self::HangsOnce => "hangs-once",
            Self::BusyOnce => "busy-once",
        }
    }
}

/// An event that came in, and in which attempt.
#[derive(Clone)]
struct Arrival {
    event: String,
    attempt: u32,
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Arrival>>>);

impl Log {
    fn add(&self, arrival: Arrival) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
    }

    fn of(&self, event: &str) -> Vec<u32> {
        let log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().filter(|arrival| arrival.event == event).map(|arrival| arrival.attempt).collect()
    }
}

pub(crate) struct Subscriber {
    address: SocketAddr,
    log: Log,
}

impl Subscriber {
    /// Listens on this machine for as long as the program runs.
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let (address, log) = (listener.local_addr()?, Log::default());
        let app = Router::new().route("/{mood}/{event}", post(receive)).with_state(log.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(Self { address, log })
    }

    pub(crate) fn url(&self, mood: Mood, event: &str) -> String {
        format!("http://{}/{}/{event}", self.address, mood.name())
    }

    /// The attempts at this event, in the order in which they came in.
    pub(crate) fn attempts(&self, event: &str) -> Vec<u32> {
        self.log.of(event)
    }
}

async fn receive(
    State(log): State<Log>,
    Path((mood, event)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(mood) = Mood::ALL.into_iter().find(|known| known.name() == mood) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let count = headers.get("x-envoy-attempt-count").and_then(|count| count.to_str().ok());
    let attempt = count.and_then(|count| count.parse().ok()).unwrap_or_default();
    log.add(Arrival { event: event.clone(), attempt });
    let first = log.of(&event).len() == 1;
    match mood {
        Mood::Fails => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Mood::FailsTwice if log.of(&event).len() <= 2 => StatusCode::BAD_GATEWAY.into_response(),
        Mood::BusyOnce if first => {
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")]).into_response()
        }
        Mood::HangsOnce if first => future::pending().await,
        _ => StatusCode::OK.into_response(),
    }
}
