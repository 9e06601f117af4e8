//! A subscriber that answers by plan, and keeps what came in.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Ok,
    Fail,
    /// Not now, but in a second.
    Busy,
    /// None before [`Subscriber::release`].
    Hold,
}

/// What to answer to this attempt at this event.
pub(crate) type Plan = fn(&str, u32) -> Answer;

#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub(crate) event: String,
    pub(crate) attempt: u32,
    pub(crate) root: String,
    pub(crate) key: Option<String>,
}

#[derive(Clone)]
pub(crate) struct Subscriber {
    plan: Plan,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    released: watch::Sender<bool>,
}

impl Subscriber {
    /// Listens until the runtime ends, and gives the URL of an event.
    pub(crate) async fn start(plan: Plan) -> (Self, String) {
        let (released, _) = watch::channel(false);
        let subscriber = Self { plan, arrivals: Arc::default(), released };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().route("/{event}", post(receive)).with_state(subscriber.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (subscriber, url)
    }

    /// In the order in which they came in.
    pub(crate) fn arrivals(&self, event: &str) -> Vec<Arrival> {
        let arrivals = self.arrivals.lock().unwrap();
        arrivals.iter().filter(|arrival| arrival.event == event).cloned().collect()
    }

    pub(crate) fn attempts(&self, event: &str) -> Vec<u32> {
        self.arrivals(event).iter().map(|arrival| arrival.attempt).collect()
    }

    /// Answers with success what is held.
    pub(crate) fn release(&self) {
        self.released.send_replace(true);
    }
}

async fn receive(
    State(subscriber): State<Subscriber>,
    Path(event): Path<String>,
    headers: HeaderMap,
) -> Response {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap());
    let attempt = text("x-envoy-attempt-count").unwrap().parse().unwrap();
    let baggage = text("baggage").unwrap();
    let root = baggage.split(',').find_map(|entry| entry.strip_prefix("retry-root=")).unwrap();
    let (root, key) = (root.to_owned(), text("idempotency-key").map(str::to_owned));
    let arrival = Arrival { event: event.clone(), attempt, root, key };
    subscriber.arrivals.lock().unwrap().push(arrival);
    match (subscriber.plan)(&event, attempt) {
        Answer::Ok => StatusCode::OK.into_response(),
        Answer::Fail => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Answer::Busy => {
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")]).into_response()
        }
        Answer::Hold => {
            // The sender is in the state of this handler, so that it cannot be gone.
            subscriber.released.subscribe().wait_for(|released| *released).await.unwrap();
            StatusCode::OK.into_response()
        }
    }
}
