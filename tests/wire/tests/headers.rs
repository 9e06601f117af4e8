//! Headers that anybody may send.

use http::{HeaderMap, HeaderName, HeaderValue};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use retry_runtime::wire::{Incoming, send_scope};
use retry_runtime::{IdempotencyKey, InScope, Policy, Scope, retry};
use std::time::Duration;
use tokio::time::Instant;

const NAMES: [&str; 8] = [
    "x-envoy-expected-rq-timeout-ms",
    "x-envoy-attempt-count",
    "grpc-timeout",
    "grpc-previous-rpc-attempts",
    "baggage",
    "idempotency-key",
    "retry-after",
    "content-type",
];

/// Pieces of values that mean something, to be put together at random.
const PIECES: [&str; 24] = [
    "0",
    "1",
    "80",
    "18446744073709551615",
    "99999999999999999999999",
    "-1",
    "+5",
    " ",
    "H",
    "S",
    "m",
    "n",
    "99999999H",
    "retry-root=00000000075bcd15",
    "retry-owner=caller",
    "retry-limit=3",
    "retry-limit=0",
    ",",
    ";p=1",
    "=",
    "\"key\"",
    "\"",
    "application/grpc",
    "é",
];

fn random_value(random: &mut Xoshiro256PlusPlus) -> Option<HeaderValue> {
    let mut value = Vec::new();
    for _ in 0..random.random_range(0..6) {
        if random.random_bool(0.7) {
            value.extend_from_slice(PIECES[random.random_range(0..PIECES.len())].as_bytes());
        } else {
            value.push(random.random());
        }
    }
    HeaderValue::from_bytes(&value).ok()
}

fn random_headers(random: &mut Xoshiro256PlusPlus) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for _ in 0..random.random_range(0..8) {
        let name = HeaderName::from_static(NAMES[random.random_range(0..NAMES.len())]);
        if let Some(value) = random_value(random) {
            headers.append(name, value);
        }
    }
    headers
}

/// `RETRY_FUZZ` sets how many; 1,000,000 take some ten seconds without optimisation.
fn rounds() -> u32 {
    std::env::var("RETRY_FUZZ").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1_000_000)
}

#[tokio::test(start_paused = true)]
async fn a_million_random_header_sets_never_panic_and_never_outlast_the_servers_maximum() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let incoming = Incoming::new(Duration::from_secs(2));
    let latest = Instant::now() + Duration::from_secs(2);
    let (mut shorter, mut owned, mut keyed, mut repeated) = (0, 0, 0, 0);
    for round in 0..rounds() {
        let headers = random_headers(&mut random);
        let scope = incoming.scope(&headers);
        let end = scope.deadline().expect("there is always one");
        assert!(end <= latest, "round {round}: {headers:?}");
        assert!(scope.root_id() != 0);
        shorter += u32::from(end < latest);
        owned += u32::from(scope.has_owner());
        keyed += u32::from(scope.key().is_some());
        repeated += u32::from(scope.request_attempt() > 1);
        // What was understood can be sent on, by HTTP and by gRPC.
        if round % 10 == 0 {
            let mut out = headers;
            async { send_scope(&mut out) }.with_scope(scope).await;
        }
    }
    println!(
        "{shorter} shorter, {owned} owned, {keyed} keyed, {repeated} repeated, {} ignored",
        incoming.ignored()
    );
    assert!(
        shorter.min(owned).min(keyed).min(repeated) > rounds() / 1_000,
        "the fuzz says something"
    );
    assert!(incoming.ignored() > 0);
}

fn read(pairs: &[(&'static str, &'static str)]) -> (Scope, u64) {
    let incoming = Incoming::new(Duration::from_secs(2));
    let headers = pairs
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
        .collect();
    (incoming.scope(&headers), incoming.ignored())
}

#[tokio::test(start_paused = true)]
async fn the_shortest_time_wins_and_the_servers_maximum_is_one_of_them() {
    let left = |pairs: &[_]| read(pairs).0.time_left();
    assert_eq!(left(&[]), Duration::from_secs(2));
    assert_eq!(left(&[("x-envoy-expected-rq-timeout-ms", "80")]), Duration::from_millis(80));
    assert_eq!(left(&[("grpc-timeout", "80m")]), Duration::from_millis(80));
    let both = [("grpc-timeout", "80m"), ("x-envoy-expected-rq-timeout-ms", "50")];
    assert_eq!(left(&both), Duration::from_millis(50));
    assert_eq!(left(&[("x-envoy-expected-rq-timeout-ms", "9000")]), Duration::from_secs(2));
    assert_eq!(left(&[("grpc-timeout", "99999999H")]), Duration::from_secs(2));
    assert_eq!(left(&[("x-envoy-expected-rq-timeout-ms", "0")]), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn what_makes_no_sense_is_ignored_and_counted() {
    let rows = [
        [("x-envoy-expected-rq-timeout-ms", "soon")],
        [("x-envoy-expected-rq-timeout-ms", "-1")],
        [("x-envoy-expected-rq-timeout-ms", "1.5")],
        [("grpc-timeout", "80")],
        [("x-envoy-attempt-count", "0")],
        [("x-envoy-attempt-count", "two")],
        [("grpc-previous-rpc-attempts", "-1")],
        [("baggage", "retry-root=0000000000000000")],
        [("baggage", "retry-owner=me")],
        [("baggage", "a=b,retry-limit=0")],
        [("idempotency-key", "\"open")],
    ];
    for row in rows {
        let (scope, ignored) = read(&row);
        assert_eq!(ignored, 1, "{row:?}");
        assert_eq!((scope.time_left(), scope.request_attempt()), (Duration::from_secs(2), 1));
        assert!(!scope.has_owner() && scope.key().is_none(), "{row:?}");
    }
    let twice =
        [("x-envoy-expected-rq-timeout-ms", "80"), ("x-envoy-expected-rq-timeout-ms", "90")];
    let mut headers = HeaderMap::new();
    for (name, value) in twice {
        headers.append(name, HeaderValue::from_static(value));
    }
    let incoming = Incoming::new(Duration::from_secs(2));
    assert_eq!(incoming.scope(&headers).time_left(), Duration::from_secs(2));
    assert_eq!(incoming.ignored(), 1);
    assert_eq!(read(&[("baggage", "other=1;p, also = 2")]).1, 0, "not ours to judge");
}

#[tokio::test(start_paused = true)]
async fn what_is_sent_is_what_is_read_and_time_only_shrinks() {
    let root = Scope::root(Instant::now() + Duration::from_micros(80_900));
    let (_, mut headers) = (
        (),
        HeaderMap::from_iter([
            (HeaderName::from_static("baggage"), HeaderValue::from_static("tenant=7,retry-root=1")),
            (HeaderName::from_static("baggage"), HeaderValue::from_static("retry-limit=9")),
        ]),
    );
    async { send_scope(&mut headers) }.with_scope(root.clone()).await;
    assert_eq!(headers["x-envoy-expected-rq-timeout-ms"], "80");
    assert_eq!(headers["x-envoy-attempt-count"], "1");
    let baggage: Vec<_> = headers.get_all("baggage").iter().collect();
    assert_eq!(baggage, [&"tenant=7".to_owned(), &format!("retry-root={:016x}", root.root_id())]);

    let scope = Incoming::new(Duration::from_secs(2)).scope(&headers);
    assert_eq!(scope.root_id(), root.root_id());
    assert_eq!(scope.time_left(), Duration::from_millis(80));
    assert!(!scope.has_owner() && scope.key().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_shorter_timeout_of_the_users_own_stays() {
    let root = Scope::root(Instant::now() + Duration::from_millis(80));
    for (before, after) in [("50", "50"), ("90", "80"), ("junk", "80")] {
        let mut headers = HeaderMap::new();
        headers.insert("x-envoy-expected-rq-timeout-ms", HeaderValue::from_static(before));
        async { send_scope(&mut headers) }.with_scope(root.clone()).await;
        assert_eq!(headers["x-envoy-expected-rq-timeout-ms"], after);
    }
}

const CALL: Policy = Policy::fixed(Duration::from_millis(10))
    .attempt_timeout(Duration::from_millis(100))
    .deadline(Duration::from_secs(1));

#[retry(policy = CALL, idempotency_key = key, allow(key_unused = "sent by the client layer"))]
async fn write(key: &str) -> std::io::Result<(HeaderMap, HeaderMap)> {
    let mut headers = HeaderMap::new();
    send_scope(&mut headers);
    Ok((headers, read_inside().await?))
}

#[retry(policy = CALL, idempotent)]
async fn read_inside() -> std::io::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    send_scope(&mut headers);
    Ok(headers)
}

#[tokio::test(start_paused = true)]
async fn a_keyed_call_sends_its_key_and_the_calls_inside_it_do_not() {
    let (write, inside) = write("order \"7\"").await.unwrap();
    assert_eq!(write["idempotency-key"], r#""order \"7\"""#);
    assert_eq!(write["baggage"].to_str().unwrap().split(',').nth(1), Some("retry-owner=caller"));
    assert!(!inside.contains_key("idempotency-key"), "two writes must not look like one");

    let scope = Incoming::new(Duration::from_secs(2)).scope(&write);
    assert_eq!(scope.key(), Some(&IdempotencyKey::new("order \"7\"").unwrap()));
    assert!(scope.has_owner());
    let mut unquoted = HeaderMap::new();
    unquoted.insert("idempotency-key", HeaderValue::from_static("order-7"));
    let scope = Incoming::new(Duration::from_secs(2)).scope(&unquoted);
    assert_eq!(scope.key().map(IdempotencyKey::as_str), Some("order-7"));
}

#[tokio::test(start_paused = true)]
async fn a_server_is_told_when_the_attempt_is_cut_not_when_the_call_ends() {
    let inside = read_inside().await.unwrap();
    assert_eq!(inside["x-envoy-expected-rq-timeout-ms"], "100");
}

#[tokio::test(start_paused = true)]
async fn outside_of_a_scope_nothing_is_sent() {
    let mut headers = HeaderMap::new();
    send_scope(&mut headers);
    assert!(headers.is_empty());
}

#[tokio::test(start_paused = true)]
async fn grpc_is_told_by_its_content_type_and_speaks_its_own_names() {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/grpc+proto"));
    headers.insert("x-envoy-attempt-count", HeaderValue::from_static("3"));
    let third = Incoming::new(Duration::from_secs(2)).scope(&headers);
    async { send_scope(&mut headers) }.with_scope(third).await;
    assert_eq!(headers["grpc-timeout"], "2000000u");
    assert_eq!(headers["grpc-previous-rpc-attempts"], "2");
    assert!(!headers.contains_key("x-envoy-expected-rq-timeout-ms"));
}
