//! Three processes in a row, every one of which retries.

use retry_wire_tests::chain::Chain;
use retry_wire_tests::log::Line;
use std::time::Duration;
use tonic::transport::Endpoint;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const SERVICE: &str = env!("CARGO_BIN_EXE_service");

/// How many milliseconds the user waits.
type Patience = Option<u64>;

async fn ask_http(edge: &str, patience: Patience) {
    let mut request = reqwest::Client::new().get(edge);
    if let Some(millis) = patience {
        request = request.header("x-envoy-expected-rq-timeout-ms", millis);
    }
    let status = request.send().await.unwrap().status().as_u16();
    assert!(matches!(status, 503 | 504), "status {status}");
}

async fn ask_grpc(edge: &str, patience: Patience) {
    let channel = Endpoint::from_shared(edge.to_owned()).unwrap().connect().await.unwrap();
    let mut request = Request::new(HealthCheckRequest::default());
    if let Some(millis) = patience {
        let timeout = format!("{millis}m").parse().unwrap();
        request.metadata_mut().insert("grpc-timeout", timeout);
    }
    let status = HealthClient::new(channel).check(request).await.unwrap_err();
    let codes = [Code::Unavailable, Code::DeadlineExceeded, Code::Cancelled];
    assert!(codes.contains(&status.code()), "{status}");
}

/// What happened in a service, in the order of time.
fn of<'l>(log: &'l [Line], service: &str, event: &str) -> Vec<&'l Line> {
    let mut lines: Vec<_> =
        log.iter().filter(|line| line.service == service && line.event == event).collect();
    lines.sort_by_key(|line| line.at);
    lines
}

/// The leaf's calls of one request: one root, and so many attempts.
fn one_request(log: &[Line], calls: usize) -> Vec<u32> {
    let leaf = of(log, "leaf", "called");
    assert_eq!(leaf.len(), calls, "{log:#?}");
    assert!(leaf.iter().all(|line| line.root == leaf[0].root && line.root != 0));
    leaf.iter().map(|line| line.attempt).collect()
}

#[tokio::test]
async fn over_http_the_edge_owns_the_retries_and_the_leaf_sees_three_calls() {
    let chain = Chain::start(SERVICE, &[]).await;
    let mut roots = Vec::new();
    for _ in 0..5 {
        ask_http(&chain.edge, None).await;
        let log = chain.take_log();
        assert_eq!(one_request(&log, 3), [1, 2, 3]);
        assert_eq!(of(&log, "middle", "asked").len(), 3);
        roots.push(log[0].root);
    }
    roots.sort_unstable();
    roots.dedup();
    assert_eq!(roots.len(), 5, "every request has a root of its own");
}

#[tokio::test]
async fn over_http_without_an_owner_the_leaf_sees_twenty_seven_calls() {
    let chain = Chain::start(SERVICE, &["--without-owner"]).await;
    ask_http(&chain.edge, None).await;
    one_request(&chain.take_log(), 27);
}

#[tokio::test]
async fn over_grpc_the_edge_owns_the_retries_and_the_leaf_sees_three_calls() {
    let chain = Chain::start(SERVICE, &["--grpc"]).await;
    for _ in 0..5 {
        ask_grpc(&chain.edge, None).await;
        assert_eq!(one_request(&chain.take_log(), 3), [1, 2, 3]);
    }
}

#[tokio::test]
async fn over_grpc_without_an_owner_the_leaf_sees_twenty_seven_calls() {
    let chain = Chain::start(SERVICE, &["--grpc", "--without-owner"]).await;
    ask_grpc(&chain.edge, None).await;
    one_request(&chain.take_log(), 27);
}

/// The user waits for 80 ms. Gives how long after the edge gave up something still ran.
fn what_ran_longer(log: &[Line]) -> Duration {
    let time_left = |service| of(log, service, "asked")[0].left;
    let (edge, middle, leaf) = (time_left("edge"), time_left("middle"), time_left("leaf"));
    assert!(edge <= Duration::from_millis(80), "{edge:?}");
    assert!(middle <= edge && leaf <= middle, "{edge:?} {middle:?} {leaf:?}");
    let call = of(log, "leaf", "called")[0].left;
    assert!(call <= leaf, "200 ms by its own policy, {call:?} by the request");

    let gave_up = of(log, "edge", "ended")[0].at;
    let last = log.iter().map(|line| line.at).max().unwrap();
    last.saturating_sub(gave_up)
}

/// The shortest of five: a busy machine can delay any process, and one without the deadline of the
/// request goes on for seconds, every time.
fn assert_that_nothing_runs_longer(runs: &[Duration]) {
    let shortest = runs.iter().min().unwrap();
    assert!(*shortest < Duration::from_millis(50), "{runs:?}");
    println!("after the edge gave up something ran for {runs:?}");
}

/// Waits until all that began has ended.
async fn settled(chain: &Chain) -> Vec<Line> {
    let mut log = Vec::new();
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        log.extend(chain.take_log());
        let count = |event| log.iter().filter(|line: &&Line| line.event == event).count();
        if count("ended") == count("asked") + count("called") {
            return log;
        }
    }
    panic!("something runs on: {log:#?}");
}

#[tokio::test]
async fn over_http_nothing_runs_on_when_the_edge_has_given_up() {
    let chain = Chain::start(SERVICE, &["--hangs"]).await;
    let mut runs = Vec::new();
    for _ in 0..5 {
        ask_http(&chain.edge, Some(80)).await;
        runs.push(what_ran_longer(&settled(&chain).await));
    }
    assert_that_nothing_runs_longer(&runs);
}

#[tokio::test]
async fn over_grpc_nothing_runs_on_when_the_edge_has_given_up() {
    let chain = Chain::start(SERVICE, &["--grpc", "--hangs"]).await;
    let mut runs = Vec::new();
    for _ in 0..5 {
        ask_grpc(&chain.edge, Some(80)).await;
        runs.push(what_ran_longer(&settled(&chain).await));
    }
    assert_that_nothing_runs_longer(&runs);
}
