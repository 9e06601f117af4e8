//! The page: a record as a form, computed anew whenever a field changes. On this machine only.

mod refusal;

use crate::anatomy::Anatomy;
use crate::data;
use crate::field::Limits;
use crate::picture::Picture;
use crate::record::Record;
use crate::svg::{self, WIDTHS, themed};
use crate::table::Table;
use crate::trace::Recorded;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use refusal::Refusal;
use serde::Serialize;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

/// What one request may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How large a record may be.
    pub limits: Limits,
    /// How long it may wait for its turn and be simulated. To draw it comes on top, which takes a
    /// fraction of a second for the largest.
    pub compute_for: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limits: Limits::PAGE, compute_for: Duration::from_secs(4) }
    }
}

/// So many requests are computed at once.
const AT_ONCE: usize = 2;

/// Everything on the page comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Clone)]
struct App {
    settings: Settings,
    turns: Arc<Semaphore>,
}

/// Listens on this port of the loopback address, which no other machine reaches; 0 is any free one.
///
/// # Errors
///
/// That the port is taken, for one.
pub fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Serves the page until the process ends.
///
/// # Errors
///
/// That there is no runtime to be had.
pub fn run(listener: TcpListener, settings: Settings) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        axum::serve(tokio::net::TcpListener::from_std(listener)?, router(settings)).await
    })
}

/// The page and what it asks for.
pub fn router(settings: Settings) -> Router {
    let app = App { settings, turns: Arc::new(Semaphore::new(AT_ONCE)) };
    let file = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, kind)], text) })
    };
    Router::new()
        .route("/", file("text/html; charset=utf-8", include_str!("../page/index.html")))
        .route("/page.css", file("text/css; charset=utf-8", include_str!("../page/page.css")))
        .route("/page.js", file("text/javascript; charset=utf-8", include_str!("../page/page.js")))
        .route("/anatomy", get(anatomy))
        .route("/trace", post(trace))
        .layer(axum::middleware::map_response(with_headers))
        .with_state(app)
}

async fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, header::HeaderValue::from_static(value));
    }
    response
}

/// What the page shows of a record, or of a trace, which has no fields.
#[derive(Serialize)]
struct Answer {
    fields: Option<serde_json::Map<String, serde_json::Value>>,
    warnings: Vec<String>,
    table: Table,
    calls: String,
    loads: String,
}

/// The fields of a record in the query, and how wide the page is.
async fn anatomy(
    State(app): State<App>,
    Query(mut query): Query<Vec<(String, String)>>,
) -> Result<Json<Answer>, Refusal> {
    let width = width(&query);
    query.retain(|(name, _)| name != WIDTH);
    let record = Record::read(&query, app.settings.limits).map_err(Refusal::Fields)?;
    app.compute(move |deadline| answer(&record, width, deadline)).await
}

/// The lines of a trace as the body. axum takes no more than two megabytes.
async fn trace(
    State(app): State<App>,
    Query(query): Query<Vec<(String, String)>>,
    lines: String,
) -> Result<Json<Answer>, Refusal> {
    let width = width(&query);
    let most = usize::try_from(app.settings.limits.leaf_calls).unwrap_or(usize::MAX);
    app.compute(move |_| {
        let Recorded { table, picture } = Recorded::read(&lines, most)?;
        drawn(table, &picture, width)
    })
    .await
}

const WIDTH: &str = "width";
const DEFAULT_WIDTH: u32 = 840;

fn width(query: &[(String, String)]) -> u32 {
    let width = query.iter().find(|(name, _)| name == WIDTH);
    let width = width.and_then(|(_, width)| width.parse().ok()).unwrap_or(DEFAULT_WIDTH);
    width.clamp(*WIDTHS.start(), *WIDTHS.end())
}

impl App {
    /// Waits for a turn, and computes until this deadline.
    async fn compute(
        &self,
        compute: impl FnOnce(Instant) -> Result<Answer, Refusal> + Send + 'static,
    ) -> Result<Json<Answer>, Refusal> {
        let deadline = Instant::now() + self.settings.compute_for;
        let turn = timeout_at(deadline, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| Refusal::TooLong)?.map_err(|_| Refusal::Broken)?;
        let computed = spawn_blocking(move || {
            // It is this request's turn until the work is done, even if nobody waits for it any more.
            let _turn = turn;
            compute(deadline)
        });
        computed.await.map_err(|_| Refusal::Broken)?.map(Json)
    }
}

fn answer(record: &Record, width: u32, deadline: Instant) -> Result<Answer, Refusal> {
    let anatomy = Anatomy::of(record, |_| {
        if Instant::now() < deadline { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let answer = drawn(anatomy.table(), &Picture::of(&anatomy), width)?;
    let fields = Some(data::fields(&anatomy.chosen));
    Ok(Answer { fields, warnings: record.warnings(), ..answer })
}

fn drawn(table: Table, picture: &Picture, width: u32) -> Result<Answer, Refusal> {
    Ok(Answer {
        fields: None,
        warnings: Vec::new(),
        table,
        calls: themed(&svg::calls(picture, width)?),
        loads: themed(&svg::loads(picture, width)?),
    })
}
