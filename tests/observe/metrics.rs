//! What a recorder of the facade `metrics` is told.

use kit::{E, script};
use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit,
};
use retry_runtime::observe::Metrics;
use retry_runtime::{Breaker, Budget, Downstream, Error, Jitter, Policy, retry};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;

/// The name and the labels of a metric, and its values in order.
type Values = Arc<Mutex<BTreeMap<String, Vec<f64>>>>;

#[derive(Clone, Default)]
struct Kept {
    values: Values,
    described: Arc<Mutex<BTreeSet<String>>>,
}

struct One(Values, String);

impl One {
    fn push(&self, value: f64) {
        self.0.lock().unwrap().entry(self.1.clone()).or_default().push(value);
    }
}

impl CounterFn for One {
    fn increment(&self, value: u64) {
        self.push(Duration::from_secs(value).as_secs_f64());
    }

    fn absolute(&self, _: u64) {
        unreachable!("counters are counted")
    }
}

impl GaugeFn for One {
    fn increment(&self, _: f64) {
        unreachable!("gauges are set")
    }

    fn decrement(&self, _: f64) {
        unreachable!("gauges are set")
    }

    fn set(&self, value: f64) {
        self.push(value);
    }
}

impl HistogramFn for One {
    fn record(&self, value: f64) {
        self.push(value);
    }
}

impl Kept {
    fn one(&self, key: &Key) -> Arc<One> {
        let labels: Vec<_> =
            key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        let name = format!("{}{{{}}}", key.name(), labels.join(","));
        Arc::new(One(Arc::clone(&self.values), name))
    }

    fn describe(&self, name: &KeyName) {
        self.described.lock().unwrap().insert(name.as_str().to_owned());
    }

    fn values(&self) -> BTreeMap<String, Vec<f64>> {
        self.values.lock().unwrap().clone()
    }

    /// The values of one metric, whose labels are of the call `get` to the downstream `leaf`.
    fn of(&self, name: &str, more: &str) -> Vec<f64> {
        let name = format!("{name}{{grpc.method=get,grpc.target=leaf{more}}}");
        self.values().get(&name).cloned().unwrap_or_default()
    }
}

impl Recorder for Kept {
    fn describe_counter(&self, name: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&name);
    }

    fn describe_gauge(&self, name: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&name);
    }

    fn describe_histogram(&self, name: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&name);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.one(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.one(key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.one(key))
    }
}

const THREE: Policy = Policy::fixed(Duration::from_millis(100))
    .jitter(Jitter::None)
    .max_attempts(3)
    .deadline(Duration::from_secs(60));

#[retry(policy = THREE, idempotent, downstream = leaf, allow(no_jitter = "exact instants"))]
async fn get(leaf: &Downstream) -> Result<u32, Error<E>> {
    sleep(Duration::from_millis(10)).await;
    kit::down(1).await
}

fn leaf() -> Downstream {
    Downstream::new("leaf").observer(&Metrics)
}

#[tokio::test(start_paused = true)]
async fn attempts_retries_and_waits_are_counted_under_the_names_of_grpc() {
    let kept = Kept::default();
    let _listening = metrics::set_default_local_recorder(&kept);
    script([Ok(1), Err(E(503)), Err(E(503)), Ok(1)]);
    get(&leaf()).await.unwrap();
    assert!(kept.of("grpc.client.call.retries", "").is_empty(), "none is not reported");
    assert!(kept.of("grpc.client.call.retry_delay", "").is_empty());
    get(&leaf()).await.unwrap();
    assert_eq!(kept.of("grpc.client.attempt.started", ""), [1.0; 4]);
    assert_eq!(kept.of("grpc.client.attempt.duration", ""), [0.01; 2]);
    assert_eq!(kept.of("grpc.client.attempt.duration", ",error.type=transient"), [0.01; 2]);
    assert_eq!(kept.of("grpc.client.call.duration", ""), [0.01, 0.23]);
    assert_eq!(kept.of("grpc.client.call.retries", ""), [2.0]);
    assert_eq!(kept.of("grpc.client.call.retry_delay", ""), [0.2]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_gives_up_is_counted_under_its_reason() {
    let kept = Kept::default();
    let _listening = metrics::set_default_local_recorder(&kept);
    script([]);
    let leaf = leaf().breaker(Breaker::consecutive(3).open_jitter(0.0)).budget(Budget::ratio(1.0));
    get(&leaf).await.unwrap_err();
    get(&leaf).await.unwrap_err();
    get(&leaf).await.unwrap_err();
    assert_eq!(kept.of("grpc.client.call.duration", ",error.type=budget_exhausted"), [0.12]);
    assert_eq!(kept.of("grpc.client.call.duration", ",error.type=circuit_open"), [0.01, 0.0]);
    assert_eq!(kept.of("retry.refused", ",error.type=circuit_open"), [1.0]);
    let values = kept.values();
    assert_eq!(values["retry.budget.exhausted{grpc.target=leaf}"], [1.0]);
    assert_eq!(values["retry.breaker.transitions{grpc.target=leaf,from=closed,to=open}"], [1.0]);
}

#[tokio::test(start_paused = true)]
async fn every_metric_is_described() {
    let kept = Kept::default();
    let _listening = metrics::set_default_local_recorder(&kept);
    Metrics::describe();
    script([Err(E(503))]);
    get(&leaf().breaker(Breaker::consecutive(1))).await.unwrap_err();
    let described = kept.described.lock().unwrap().clone();
    assert_eq!(described.len(), 9);
    for name in kept.values().keys() {
        let name = name.split('{').next().unwrap();
        assert!(described.contains(name), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_recorder_alone_is_told_nothing() {
    let kept = Kept::default();
    let _listening = metrics::set_default_local_recorder(&kept);
    script([Ok(1)]);
    get(&Downstream::new("leaf")).await.unwrap();
    assert!(kept.values().is_empty());
}
