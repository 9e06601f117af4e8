//! Events as metrics, by the facade `metrics`.

use super::{AttemptEnd, CallEnd, Event, Facts, Observer};
use metrics::{Label, SharedString, Unit};
use std::time::Duration;

/// Counts and measures calls by the recorder of the crate `metrics`; needs the feature `metrics`.
///
/// It is an observer like any other: of the process, by `observe::set_global(&Metrics)`, or of one
/// downstream. Where it is not set nothing is counted, even if there is a recorder.
///
/// Names and labels are those of gRPC's proposals [A66] and [A96] where these have one, so that
/// dashboards made for them work: `grpc.method` is the name of the annotated function, and
/// `grpc.target` that of the downstream. Calls need not be of gRPC for that. A process that exports
/// gRPC's own metrics too should give one of them a prefix. `error.type` is OpenTelemetry's attribute,
/// in place of `grpc.status`; it is left out of what succeeds. Times are in seconds.
///
/// | name | what | source |
/// |---|---|---|
/// | `grpc.client.attempt.started` | counter of attempts | A66 |
/// | `grpc.client.attempt.duration` | histogram, by `error.type` | A66 |
/// | `grpc.client.call.duration` | histogram, by `error.type` | A66 |
/// | `grpc.client.call.retries` | histogram of the retries of a call that had some | A96 |
/// | `grpc.client.call.retry_delay` | histogram of the time that such a call waited in all | A96 |
/// | `retry.refused` | counter of attempts that were not sent, by `error.type` | |
/// | `retry.budget.exhausted` | counter of retries that a budget stopped | |
/// | `retry.breaker.transitions` | counter, by `from` and `to` | |
/// | `retry.attempt.timeout` | gauge of the attempt timeout where it is adaptive | |
///
/// The `error.type` of an attempt is `transient`, `throttled`, `permanent`, `timeout`, `panic` or
/// `dropped`; that of a call is a [`Reason`](crate::Reason) by its name, `panic` or `dropped`.
///
/// gRPC's `grpc.client.call.transparent_retries` and `.hedges` have nothing to count: every retry
/// here is paid for and counted, and none is sent before the attempt before it has ended.
/// OpenTelemetry's `http.request.resend_count` is an attribute of the span of an HTTP request, which
/// is that of the HTTP client: its value is `Scope::current()`'s `attempt() - 1`.
///
/// ```
/// use retry_runtime::Downstream;
/// use retry_runtime::observe::Metrics;
///
/// static PAYMENTS: Downstream = Downstream::new("payments").observer(&Metrics);
/// ```
///
/// [A66]: https://github.com/grpc/proposal/blob/master/A66-otel-stats.md
/// [A96]: https://github.com/grpc/proposal/blob/master/A96-retry-otel-stats.md
#[derive(Clone, Copy, Debug, Default)]
pub struct Metrics;

const ATTEMPT_STARTED: &str = "grpc.client.attempt.started";
const ATTEMPT_DURATION: &str = "grpc.client.attempt.duration";
const CALL_DURATION: &str = "grpc.client.call.duration";
const CALL_RETRIES: &str = "grpc.client.call.retries";
const CALL_RETRY_DELAY: &str = "grpc.client.call.retry_delay";
const REFUSED: &str = "retry.refused";
const BUDGET_EXHAUSTED: &str = "retry.budget.exhausted";
const BREAKER_TRANSITIONS: &str = "retry.breaker.transitions";
const ATTEMPT_TIMEOUT: &str = "retry.attempt.timeout";

impl Metrics {
    /// Tells the recorder what the metrics are and in which units. Once is enough.
    pub fn describe() {
        use metrics::{describe_counter, describe_gauge, describe_histogram};
        describe_counter!(ATTEMPT_STARTED, Unit::Count, "attempts started");
        describe_histogram!(ATTEMPT_DURATION, Unit::Seconds, "how long attempts took");
        describe_histogram!(CALL_DURATION, Unit::Seconds, "how long calls took, waits included");
        describe_histogram!(CALL_RETRIES, Unit::Count, "retries of calls that had some");
        describe_histogram!(CALL_RETRY_DELAY, Unit::Seconds, "how long such calls waited in all");
        describe_counter!(REFUSED, Unit::Count, "attempts that were not sent");
        describe_counter!(BUDGET_EXHAUSTED, Unit::Count, "retries that a budget stopped");
        describe_counter!(BREAKER_TRANSITIONS, Unit::Count, "changes of state of breakers");
        describe_gauge!(ATTEMPT_TIMEOUT, Unit::Seconds, "adaptive attempt timeouts");
    }
}

impl Observer for Metrics {
    fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
        match *event {
            Event::AttemptStarted { .. } => count(ATTEMPT_STARTED, labels(facts, None)),
            Event::AttemptEnded { end, took } => {
                time(ATTEMPT_DURATION, labels(facts, attempt_error(&end)), took);
            }
            Event::Refused { reason, .. } => count(REFUSED, labels(facts, Some(reason.name()))),
            Event::CallEnded { end, elapsed, waited } => {
                call_ended(facts, call_error(&end), elapsed, waited);
            }
            Event::BudgetExhausted { downstream, .. } => {
                count(BUDGET_EXHAUSTED, vec![target(downstream)]);
            }
            Event::BreakerMoved { downstream, from, to } => {
                let moved = [Label::new("from", from.name()), Label::new("to", to.name())];
                let labels = [target(downstream)].into_iter().chain(moved).collect();
                count(BREAKER_TRANSITIONS, labels);
            }
            Event::TimeoutAdapted { to, .. } => {
                if let Some(timeout) = to.or(facts.policy.longest_attempt()) {
                    let labels = labels(facts, None);
                    metrics::gauge!(ATTEMPT_TIMEOUT, labels).set(timeout.as_secs_f64());
                }
            }
            _ => {}
        }
    }
}

fn call_ended(facts: &Facts<'_>, error: Option<&'static str>, elapsed: Duration, waited: Duration) {
    time(CALL_DURATION, labels(facts, error), elapsed);
    if facts.attempt > 1 {
        let retries = f64::from(facts.attempt - 1);
        metrics::histogram!(CALL_RETRIES, labels(facts, None)).record(retries);
        time(CALL_RETRY_DELAY, labels(facts, None), waited);
    }
}

fn count(name: &'static str, labels: Vec<Label>) {
    metrics::counter!(name, labels).increment(1);
}

fn time(name: &'static str, labels: Vec<Label>, time: Duration) {
    metrics::histogram!(name, labels).record(time.as_secs_f64());
}

fn target(downstream: &str) -> Label {
    Label::new("grpc.target", SharedString::from_owned(downstream.to_owned()))
}

fn labels(facts: &Facts<'_>, error: Option<&'static str>) -> Vec<Label> {
    let method = SharedString::from_owned(facts.call.to_owned());
    let mut labels = vec![Label::new("grpc.method", method), target(facts.downstream)];
    labels.extend(error.map(|error| Label::new("error.type", error)));
    labels
}

fn attempt_error(end: &AttemptEnd<'_>) -> Option<&'static str> {
    match end {
        AttemptEnd::Succeeded => None,
        AttemptEnd::Failed { class, .. } => Some(class.name()),
        AttemptEnd::TimedOut { .. } => Some("timeout"),
        AttemptEnd::Panicked => Some("panic"),
        AttemptEnd::Dropped => Some("dropped"),
    }
}

fn call_error(end: &CallEnd<'_>) -> Option<&'static str> {
    match end {
        CallEnd::Succeeded => None,
        CallEnd::GaveUp { reason, .. } => Some(reason.name()),
        CallEnd::Panicked => Some("panic"),
        CallEnd::Dropped => Some("dropped"),
    }
}
