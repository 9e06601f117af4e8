//! When a server asks to be called again: every row of the published vectors and cases.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use http::{HeaderMap, HeaderValue, StatusCode};
use retry_runtime::wire::{HttpError, ResponseExt, StatusError, retry_after};
use retry_runtime::{Error, Jitter, Policy, Reason, retry};
use std::cell::RefCell;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::net::TcpListener;
use tokio::time::Instant;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn headers(values: &[&[u8]]) -> HeaderMap {
    let value = |value: &&[u8]| HeaderValue::from_bytes(value).unwrap();
    values.iter().map(|text| (http::header::RETRY_AFTER, value(text))).collect()
}

fn date(from_now: i64) -> String {
    let now = SystemTime::now();
    let moved = secs(from_now.unsigned_abs());
    httpdate::fmt_http_date(if from_now < 0 { now - moved } else { now + moved })
}

/// Five attempts, 0.1 s apart, within so many seconds; answers 503 with these headers, then 200.
/// Gives the instants of the calls, and the error.
async fn calls(headers: HeaderMap, policy: Policy) -> (Vec<f64>, Option<Error<StatusError>>) {
    const GIVEN: Policy =
        Policy::fixed(Duration::from_millis(100)).jitter(Jitter::None).deadline(secs(86_400));
    const SHORT: Policy = GIVEN.max_attempts(5).deadline(secs(10));

    type Log = RefCell<Vec<f64>>;
    let log = Log::default();
    let start = Instant::now();
    let answer = || {
        log.borrow_mut().push(start.elapsed().as_secs_f64());
        let first = log.borrow().len() == 1;
        let busy = StatusError::new(StatusCode::SERVICE_UNAVAILABLE, &headers, b"");
        if first { Err(busy) } else { Ok(()) }
    };
    #[retry(policy = GIVEN, idempotent, allow(no_jitter = "exact instants"))]
    async fn given(answer: &dyn Fn() -> Result<(), StatusError>) -> Result<(), Error<StatusError>> {
        answer()
    }
    #[retry(policy = SHORT, idempotent, allow(no_jitter = "exact instants"))]
    async fn short(answer: &dyn Fn() -> Result<(), StatusError>) -> Result<(), Error<StatusError>> {
        answer()
    }
    let result = if policy == SHORT { short(&answer).await } else { given(&answer).await };
    (log.take(), result.err())
}

const LONG: Policy =
    Policy::fixed(Duration::from_millis(100)).jitter(Jitter::None).deadline(secs(86_400));
const TEN_SECONDS: Policy = LONG.max_attempts(5).deadline(secs(10));

#[tokio::test(start_paused = true)]
async fn o_b05_a_hint_beyond_the_deadline_ends_the_call_at_once_and_stays_readable() {
    let nines = "9".repeat(40);
    let huge = ["3600", "9999999999", "18446744073709551616", nines.as_str()];
    for value in huge.into_iter().chain(["Fri, 31 Dec 9999 23:59:59 GMT"]) {
        let (calls, error) = calls(headers(&[value.as_bytes()]), TEN_SECONDS).await;
        let error = error.unwrap();
        assert_eq!((calls.as_slice(), error.reason()), ([0.0].as_slice(), Reason::Deadline));
        assert!(error.retry_after() >= Some(secs(3_600)), "{value}: {:?}", error.retry_after());
        assert_eq!(error.last().unwrap().retry_after(), error.retry_after());
    }
    let (calls, error) = calls(headers(&[b"7"]), TEN_SECONDS).await;
    assert_eq!((calls.as_slice(), error), ([0.0, 7.0].as_slice(), None));
}

#[tokio::test(start_paused = true)]
async fn o_b06_odd_values_are_read_exactly_or_not_at_all() {
    let past = date(-60);
    let rows: [(&[&[u8]], f64); 13] = [
        (&[b"1.5"], 1.5),
        (&[b" 2 "], 2.0),
        (&[b"0"], 0.1),
        (&[b"-5"], 0.1),
        (&[b"0x10"], 0.1),
        (&[b"120junk"], 0.1),
        (&[b"5, 10"], 0.1),
        (&[b"NaN"], 0.1),
        (&[b""], 0.1),
        (&[b"\xff\xfe"], 0.1),
        (&[past.as_bytes()], 0.1),
        (&[b"3", b"9"], 0.1),
        (&[], 0.1),
    ];
    for (values, second) in rows {
        let (calls, error) = calls(headers(values), LONG).await;
        assert_eq!(error, None);
        assert_eq!(calls.len(), 2, "{values:?}");
        assert!((calls[1] - second).abs() < 0.0021, "{values:?}: {calls:?}");
        assert!(calls[1] >= second - 1e-9, "{values:?}: earlier than asked, {calls:?}");
    }
}

/// hashicorp/go-retryablehttp, `TestParseRetryAfterHeader`. Its row of two values, of which it takes
/// the first, is decided the other way here: two values are a list, and a list is no wait.
#[test]
fn hashicorp_parse_retry_after_header() {
    let read = |value: &str| retry_after(&headers(&[value.as_bytes()]));
    assert_eq!(read("2"), Some(secs(2)));
    let soon = read(&date(2)).unwrap();
    assert!(soon <= secs(2) && soon > Duration::from_millis(500), "{soon:?}");
    assert_eq!(read(&date(-2)), Some(Duration::ZERO));
    for nothing in ["", "-2", "Fri, 32 Dec 1999 23:59:59 GMT", "badbadbad"] {
        assert_eq!(read(nothing), None, "{nothing}");
    }
    assert_eq!(retry_after(&HeaderMap::new()), None);
    assert_eq!(retry_after(&headers(&[b"2", b"3"])), None);
}

/// RFC 9110, 5.6.7: the form to write and the two old ones, which have to be read.
#[test]
fn rfc_9110_dates_in_all_three_forms() {
    let forms = [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ];
    for form in forms {
        assert_eq!(retry_after(&headers(&[form.as_bytes()])), Some(Duration::ZERO), "{form}");
    }
    let year_3000 = "Wed, 01 Jan 3000 00:00:00 GMT";
    let wait = retry_after(&headers(&[year_3000.as_bytes()])).unwrap();
    let expected = httpdate::parse_http_date(year_3000).unwrap();
    let expected = expected.duration_since(SystemTime::now()).unwrap();
    assert!(wait.abs_diff(expected) < secs(5), "{wait:?}");
}

/// Envoy ignores what is above 300 s; this crate ends the call, because to come back sooner would be
/// worse. Linkerd obeys it with 429 and 503 alone; here it is obeyed wherever there is a retry.
#[tokio::test(start_paused = true)]
async fn envoy_three_hundred_seconds_and_linkerd_any_status() {
    let (_, error) = calls(headers(&[b"301"]), LONG).await;
    assert_eq!(error.unwrap().reason(), Reason::RetryAfterTooLong);
    let (instants, _) = calls(headers(&[b"300"]), LONG).await;
    assert_eq!(instants, [0.0, 300.0]);
    for status in [429, 500, 502, 503, 504, 408, 425] {
        let status = StatusCode::from_u16(status).unwrap();
        let error = StatusError::new(status, &headers(&[b"7"]), b"");
        assert_eq!(error.retry_after(), Some(secs(7)), "{status}");
    }
}

/// The draft's own examples, and that `Retry-After` wins.
#[test]
fn rate_limit_headers_say_when_there_is_more_once_a_quota_is_used_up() {
    let mut limits = HeaderMap::new();
    let mut read = |value: &'static str| {
        limits.insert("ratelimit", HeaderValue::from_static(value));
        retry_after(&limits)
    };
    assert_eq!(read(r#""default";r=50;t=30"#), None, "fifty are left");
    assert_eq!(read(r#""default";r=0;t=30"#), Some(secs(30)));
    assert_eq!(read(r#""burst";r=0;t=5, "daily";r=0;t=3600"#), Some(secs(3_600)));
    assert_eq!(read(r#""burst";r=0;t=5, "daily";r=1000;t=3600"#), Some(secs(5)));
    for malformed in ["", "default;;", r#""a";r=0;t=-1"#, r#""a";r=0"#, r#""a";r=x;t=y"#, "\"a"] {
        assert_eq!(read(malformed), None, "{malformed}");
    }
    limits.insert("ratelimit", HeaderValue::from_static(r#""default";r=0;t=30"#));
    limits.insert("retry-after", HeaderValue::from_static("2"));
    assert_eq!(retry_after(&limits), Some(secs(2)));
}

/// A server of axum that answers 503 with such a header once, and then 200.
async fn serve(value: String) -> (String, Arc<Mutex<Vec<Instant>>>) {
    type Shared = (HeaderValue, Arc<Mutex<Vec<Instant>>>);
    async fn answer(State((value, calls)): State<Shared>) -> (StatusCode, HeaderMap, String) {
        let mut calls = calls.lock().unwrap();
        calls.push(Instant::now());
        if calls.len() > 1 {
            return (StatusCode::OK, HeaderMap::new(), "done".to_owned());
        }
        let busy: HeaderMap = [(http::header::RETRY_AFTER, value)].into_iter().collect();
        (StatusCode::SERVICE_UNAVAILABLE, busy, "busy ".repeat(10_000))
    }
    let calls = Arc::<Mutex<Vec<Instant>>>::default();
    let shared = (HeaderValue::from_str(&value).unwrap(), Arc::clone(&calls));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().route("/", get(answer)).with_state(shared);
    tokio::spawn(async move { axum::serve(listener, app).await });
    (url, calls)
}

const REAL: Policy = Policy::fixed(Duration::from_millis(20)).deadline(secs(10));

#[retry(policy = REAL, idempotent)]
async fn fetch(url: &str) -> Result<String, Error<HttpError>> {
    Ok(reqwest::get(url).await?.checked().await?.text().await?)
}

#[tokio::test]
async fn between_axum_and_reqwest_the_wait_is_the_one_that_was_asked_for() {
    for value in ["1", "0.3", "two seconds from now, as a date"] {
        let value = if value.len() > 3 { date(2) } else { value.to_owned() };
        let (url, calls) = serve(value.clone()).await;
        assert_eq!(fetch(&url).await.unwrap(), "done");
        let calls = calls.lock().unwrap();
        let waited = calls[1] - calls[0];
        let asked = value.parse().map_or(Duration::from_millis(500), Duration::from_secs_f64);
        // Any machine may be late; earlier than asked nobody may be.
        assert!(waited >= asked, "{value}: {waited:?}");
        assert!(waited < secs(5), "{value}: {waited:?}");
    }
}

#[tokio::test]
async fn between_axum_and_reqwest_the_error_keeps_status_hint_and_the_beginning_of_the_body() {
    let (url, calls) = serve("3600".to_owned()).await;
    let error = fetch(&url).await.unwrap_err();
    assert_eq!((calls.lock().unwrap().len(), error.reason()), (1, Reason::Deadline));
    assert_eq!(error.retry_after(), Some(secs(3_600)));
    let Some(HttpError::Status(status)) = error.last() else { panic!("{error:?}") };
    assert_eq!(status.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(status.body().len(), retry_runtime::wire::BODY_LIMIT);
    assert!(status.text().starts_with("busy busy "));
}
