//! The server behind the page: who reaches it, and what it refuses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

#[path = "kit/recorded.rs"]
mod recorded;

use failure_record::field::{FIELDS, Limits};
use failure_record::serve::{self, Settings};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A server of its own, which ends with the process.
fn start(settings: Settings) -> SocketAddr {
    let listener = serve::listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || serve::run(listener, settings));
    address
}

/// The status, the head and the body.
fn ask(address: SocketAddr, path: &str) -> (u16, String, String) {
    exchange(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    )
}

fn exchange(address: SocketAddr, question: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that has read enough answers and hangs up.
    let _ = stream.write_all(question.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

#[test]
fn only_this_machine_reaches_it() {
    let address = serve::listen(0).unwrap().local_addr().unwrap();
    assert!(address.ip().is_loopback(), "{address}");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let address = start(Settings::default());
    for (path, kind) in
        [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")]
    {
        let (status, head, body) = ask(address, path);
        assert_eq!(status, 200, "{path}");
        assert!(head.contains(&format!("content-type: {kind}; charset=utf-8")), "{head}");
        assert!(head.contains("default-src 'none'"), "{head}");
        assert!(!body.contains("//cdn") && !body.contains("https://"), "{path}");
    }
    let (_, _, page) = ask(address, "/");
    for field in FIELDS {
        assert!(page.contains(&format!("name=\"{}\"", field.name)), "{}", field.name);
        assert!(page.contains(&format!("<label for=\"{}\"", field.name)), "{}", field.name);
    }
    assert_eq!(ask(address, "/elsewhere").0, 404);
}

#[test]
fn a_record_is_answered_with_its_fields_numbers_and_pictures() {
    let address = start(Settings::default());
    let (status, _, body) = ask(address, "/anatomy?group=10&window=1s+500ms&width=400");
    assert_eq!(status, 200);
    let answer: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (&answer["fields"]["group"], &answer["fields"]["window"]),
        (&"10".into(), &"1s 500ms".into())
    );
    let calls = answer["calls"].as_str().unwrap();
    assert_eq!(calls.matches("<circle ").count(), 12);
    assert!(calls.contains("width=\"400\"") && calls.contains("var(--retry)"));
    assert!(!calls.contains("\"#D94F0C\""), "the page chooses the colours");
    for (wish, width) in [("1", 280), ("99999", 1_600), ("x", 840)] {
        let (_, _, body) = ask(address, &format!("/anatomy?width={wish}"));
        assert!(body.contains(&format!("width=\\\"{width}\\\"")), "{wish}");
    }
}

#[test]
fn a_trace_is_answered_in_the_same_way() {
    let address = start(Settings::default());
    let post = |body: &str| {
        let head = format!(
            "POST /trace?width=400 HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}",
            body.len()
        );
        exchange(address, &format!("{head}\r\nConnection: close\r\n\r\n{body}"))
    };
    let (status, _, body) = post(&recorded::group().0.to_json_lines());
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(answer["calls"].as_str().unwrap().matches("<circle ").count(), 48);
    let (status, _, body) = post("nonsense");
    assert_eq!(status, 422);
    assert!(body.contains("line 1 is no event"), "{body}");
    assert_eq!(post(&" ".repeat(3_000_000)).0, 413);
}

#[test]
fn records_beyond_the_limits_are_refused_at_their_fields() {
    let address = start(Settings::default());
    let (status, _, body) = ask(address, "/anatomy?layers=99&base=x&group=3000&colour=red");
    assert_eq!(status, 422);
    let answer: Value = serde_json::from_str(&body).unwrap();
    let errors = answer["errors"].as_array().unwrap();
    let mut fields: Vec<_> = errors.iter().map(|error| error["field"].as_str().unwrap()).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["base", "colour", "group", "layers"]);
    assert!(errors.iter().all(|error| !error["message"].as_str().unwrap().is_empty()));
    let (status, ..) = ask(address, &format!("/anatomy?seed={}", "9".repeat(5_000)));
    assert_eq!(status, 422);
}

/// All of them make 20,000 calls of the leaf on each side.
const LARGEST: [&str; 3] = [
    "/anatomy?group=2000&attempts=10&layers=8&budget=none&window=1h",
    "/anatomy?group=740&attempts=3&layers=3&owner=every&budget=none&window=1h",
    "/anatomy?group=78&attempts=2&layers=8&owner=every&budget=none&window=1h",
];

#[test]
fn the_largest_records_are_answered() {
    let address = start(Settings { compute_for: Duration::from_secs(600), ..Settings::default() });
    for path in LARGEST {
        let (status, _, body) = ask(address, path);
        assert_eq!(status, 200, "{path}: {body}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        let points = answer["calls"].as_str().unwrap().matches("<circle ").count();
        assert!((19_900..=20_000).contains(&points), "{path}: {points}");
    }
}

#[test]
fn what_takes_longer_than_it_may_is_broken_off() {
    let settings = Settings::default();
    assert_eq!(settings.limits, Limits::PAGE);
    assert!(settings.compute_for <= Duration::from_secs(4), "a second is left to draw");
    let address = start(Settings { compute_for: Duration::ZERO, ..settings });
    let (status, _, body) = ask(address, LARGEST[0]);
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("this took too long"), "{body}");
}

#[test]
fn many_who_ask_at_once_are_all_answered() {
    let address = start(Settings { compute_for: Duration::from_secs(600), ..Settings::default() });
    let asked: Vec<_> = (0..20)
        .map(|seed| std::thread::spawn(move || ask(address, &format!("/anatomy?seed={seed}"))))
        .collect();
    assert!(asked.into_iter().all(|asked| asked.join().unwrap().0 == 200));
}
