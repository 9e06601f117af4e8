//! What a subscriber of `tracing` sees; one for the whole process, as calls move between threads.

use kit::E;
use retry_runtime::{Downstream, Error, Jitter, Policy, Scope, retry};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, Once};
use std::time::Duration;
use tokio::time::sleep;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

/// The fields of a span or an event, as text.
type Fields = BTreeMap<&'static str, String>;

#[derive(Clone, Debug)]
struct Line {
    level: Level,
    fields: Fields,
    /// The spans that it stands in, the outermost first.
    spans: Vec<(&'static str, Fields)>,
}

struct Visitor<'f>(&'f mut Fields);

impl Visit for Visitor<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

static LINES: Mutex<Vec<Line>> = Mutex::new(Vec::new());

struct Keeping;

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Keeping {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::new();
        attributes.record(&mut Visitor(&mut fields));
        context.span(id).unwrap().extensions_mut().insert(fields);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Visitor(&mut fields));
        let spans = context.event_scope(event).into_iter().flat_map(|scope| scope.from_root());
        let spans = spans.map(|span| {
            (span.name(), span.extensions().get::<Fields>().cloned().unwrap_or_default())
        });
        let line = Line { level: *event.metadata().level(), fields, spans: spans.collect() };
        LINES.lock().unwrap().push(line);
    }
}

fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = Registry::default().with(Keeping);
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

/// The lines of the calls to this downstream, and those that stand in one of its calls.
fn lines_of(downstream: &str) -> Vec<Line> {
    let is_of = |fields: &Fields| fields.get("downstream").is_some_and(|name| name == downstream);
    let lines = LINES.lock().unwrap();
    let of = |line: &&Line| is_of(&line.fields) || line.spans.iter().any(|span| is_of(&span.1));
    lines.iter().filter(of).cloned().collect()
}

const THREE: Policy = Policy::fixed(Duration::from_millis(100))
    .jitter(Jitter::None)
    .max_attempts(3)
    .deadline(Duration::from_secs(60));

/// Fails so often, then succeeds.
struct Flaky(AtomicU32);

impl Flaky {
    fn times(failures: u32) -> Self {
        Self(AtomicU32::new(failures))
    }

    fn answer(&self) -> Result<u32, E> {
        let less = |left: u32| left.checked_sub(1);
        self.0.fetch_update(Relaxed, Relaxed, less).map_or(Ok(1), |left| Err(E(500 + left as u16)))
    }
}

#[retry(
    policy = THREE,
    downstream = leaf,
    idempotency_key = id.to_string(),
    allow(no_jitter = "exact instants"),
)]
async fn call(leaf: &Downstream, flaky: &Flaky, id: u32) -> Result<u32, Error<E>> {
    sleep(Duration::from_millis(1)).await;
    let attempt = Scope::current().map_or(0, |scope| scope.attempt());
    tracing::info!(id, attempt, "body");
    sleep(Duration::from_millis(1)).await;
    flaky.answer()
}

#[tokio::test(start_paused = true)]
async fn o_b14_s1_shows_nothing_above_warn() {
    listen();
    let leaf = Downstream::new("s1");
    assert_eq!(call(&leaf, &Flaky::times(1), 0).await, Ok(1));
    let lines = lines_of("s1");
    // In this order more is less.
    assert!(lines.iter().all(|line| line.level >= Level::WARN));
    let warned: Vec<_> = lines.iter().filter(|line| line.level == Level::WARN).collect();
    let [retried] = warned[..] else { panic!("{warned:?}") };
    assert_eq!(retried.fields["message"], "attempt 1 failed, the next one follows in 100ms");
    assert_eq!((&*retried.fields["error"], &*retried.fields["attempt"]), ("E(501)", "1"));
    assert_eq!((&*retried.fields["delay"], &*retried.fields["source"]), ("100ms", "Backoff"));
    let told: Vec<_> = lines.iter().map(|line| line.fields["message"].as_str()).collect();
    assert_eq!(
        told,
        [
            "call started",
            "attempt started",
            "body",
            "attempt failed",
            "attempt 1 failed, the next one follows in 100ms",
            "waited",
            "attempt started",
            "body",
            "attempt succeeded",
            "call succeeded",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn o_b14_s2_shows_exactly_one_error_with_the_attempts_and_the_last_error() {
    listen();
    let leaf = Downstream::new("s2");
    call(&leaf, &Flaky::times(3), 7).await.unwrap_err();
    let lines = lines_of("s2");
    let errors: Vec<_> = lines.iter().filter(|line| line.level == Level::ERROR).collect();
    let [gave_up] = errors[..] else { panic!("{errors:?}") };
    let field = |name| gave_up.fields[name].as_str();
    assert_eq!(field("message"), "gave up: no attempts are left");
    assert_eq!((field("attempts"), field("error")), ("3", "E(501)"));
    assert_eq!((field("reason"), field("outcome")), ("attempt_limit", "Unknown"));
    assert_eq!((field("elapsed"), field("waited"), field("key")), ("206ms", "200ms", "7"));
    assert_eq!(lines.iter().filter(|line| line.level == Level::WARN).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_error_that_is_handed_up_is_reported_once_by_the_owner() {
    #[retry(policy = THREE, idempotent, downstream = leaf, allow(no_jitter = "exact instants"))]
    async fn outer(leaf: &Downstream, flaky: &Flaky) -> Result<u32, Error<Error<E>>> {
        call(leaf, flaky, 0).await
    }
    listen();
    let leaf = Downstream::new("layers");
    outer(&leaf, &Flaky::times(9)).await.unwrap_err();
    let lines = lines_of("layers");
    let errors: Vec<_> = lines.iter().filter(|line| line.level == Level::ERROR).collect();
    let [gave_up] = errors[..] else { panic!("{errors:?}") };
    assert_eq!(gave_up.fields["call"], "outer");
    let body = lines.iter().rfind(|line| line.fields["message"] == "body").unwrap();
    let spans: Vec<_> = body.spans.iter().map(|(name, _)| *name).collect();
    assert_eq!(spans, ["call", "attempt", "call", "attempt"]);
    assert_eq!((&*body.spans[1].1["number"], &*body.spans[3].1["number"]), ("3", "1"));
    let roots = body.spans.iter().filter_map(|(_, fields)| fields.get("root"));
    assert_eq!(roots.collect::<std::collections::BTreeSet<_>>().len(), 1);
}

#[test]
fn o_b14_of_64_calls_on_four_threads_every_line_is_in_its_own_call_and_attempt() {
    listen();
    static LEAF: Downstream =
        Downstream::new("concurrent").budget(retry_runtime::Budget::ratio(1.0).per_second(1_000));
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(4).enable_time().build().unwrap().block_on(async {
        let calls = (0..64).map(|id| {
            let work = async move { call(&LEAF, &Flaky::times(2), id).await };
            tokio::spawn(work)
        });
        for call in calls.collect::<Vec<_>>() {
            assert_eq!(call.await.unwrap(), Ok(1));
        }
    });
    let lines = lines_of("concurrent");
    let bodies: Vec<_> = lines.iter().filter(|line| line.fields["message"] == "body").collect();
    assert_eq!(bodies.len(), 192);
    for body in &bodies {
        let [(_, call), (_, attempt)] = &body.spans[..] else { panic!("{body:?}") };
        assert_eq!(body.fields["id"], call["key"], "the key is made of the id");
        assert_eq!(body.fields["attempt"], attempt["number"]);
    }
    // So are the events of the calls themselves.
    for line in lines.iter().filter(|line| line.fields["message"] != "body") {
        let Some((_, call)) = line.spans.first() else { panic!("{line:?}") };
        assert_eq!((&line.fields["id"], &line.fields["key"]), (&call["id"], &call["key"]));
        if let Some((_, attempt)) = line.spans.get(1) {
            assert_eq!(line.fields["attempt"], attempt["number"]);
        }
    }
    let keys = bodies.iter().map(|body| &body.spans[0].1["key"]);
    assert_eq!(keys.collect::<std::collections::BTreeSet<_>>().len(), 64);
}

#[tokio::test(start_paused = true)]
async fn a_call_stands_in_the_span_of_its_caller() {
    listen();
    let leaf = Downstream::new("caller");
    let request = tracing::info_span!("request");
    let call = async { call(&leaf, &Flaky::times(3), 0).await.unwrap_err() };
    tracing::Instrument::instrument(call, request).await;
    for line in lines_of("caller") {
        assert_eq!(line.spans[0].0, "request", "{line:?}");
    }
    tracing::info!("after");
    let lines = LINES.lock().unwrap();
    let after = lines.iter().find(|line| line.fields["message"] == "after").unwrap();
    assert!(after.spans.is_empty(), "no span is left entered");
}
