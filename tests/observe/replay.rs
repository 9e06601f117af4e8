//! A recording decides the same again, or says where it does not.

use crate::scene::{Scene, in_virtual_time};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::observe::{Difference, Event};
use retry_runtime::storm::{Arrivals, Fault, Server, ServiceTime, Storm};
use retry_runtime::{Breaker, Budget, Downstream, Jitter, Policy, Trace, record};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

fn recorded(seed: u64, calls: usize) -> Trace {
    let scene = Scene::random(seed, calls, |downstream| downstream);
    in_virtual_time(async { record(scene.run()).await.1 })
}

fn calls(trace: &Trace) -> usize {
    let begins = |event: &Event<'_>| matches!(event, Event::CallStarted { .. });
    trace.events().filter(|(event, _)| begins(event)).count()
}

#[test]
fn ten_thousand_random_calls_replay_bit_for_bit_also_from_a_file() {
    const SIDE_BY_SIDE: usize = 20;
    let (mut recorded_calls, mut decisions) = (0, 0);
    for seed in 0..10_000 / SIDE_BY_SIDE as u64 {
        let trace = recorded(seed, SIDE_BY_SIDE);
        let replayed = trace.replay().unwrap_or_else(|difference| panic!("{seed}: {difference}"));
        let read = Trace::from_json_lines(&trace.to_json_lines()).unwrap();
        assert_eq!(read, trace, "{seed}");
        assert_eq!(read.replay(), Ok(replayed));
        recorded_calls += calls(&trace);
        decisions += replayed;
    }
    assert!(recorded_calls >= 10_000, "{recorded_calls} calls");
    assert!(decisions >= 8_000, "{decisions} decisions");
}

#[test]
fn a_storm_of_layers_that_all_retry_replays() {
    const POLICY: Policy =
        Policy::exponential(Duration::from_millis(20), Duration::from_millis(200))
            .jitter(Jitter::Decorrelated)
            .attempt_timeout(Duration::from_millis(60))
            .deadline(Duration::from_secs(2));
    let outage = Fault::between(Duration::from_millis(100), Duration::from_millis(700)).share(0.6);
    let server =
        Server::new(ServiceTime::constant(Duration::from_millis(8))).capacity(4).fault(outage);
    let storm = Storm::new(POLICY, server)
        .clients(50)
        .arrivals(Arrivals::constant(250.0, Duration::from_secs(1)))
        .layers(2)
        .every_layer_retries();
    let run = || {
        let breaker = Breaker::consecutive(40).open_for(Duration::from_millis(100));
        storm.run(|| Downstream::new("leaf").budget(Budget::ratio(0.5)).breaker(breaker))
    };
    let (report, trace) = in_virtual_time(record(async { run().unwrap() }));
    assert_eq!(trace.replay().map(|decisions| decisions > 100), Ok(true));
    assert!(calls(&trace) as u64 > report.calls, "each layer of each call");
}

/// Traces of one call each, with those inside it, as JSON.
///
/// The numbers of `Value` have 64 bits, so traces with waits of centuries are left out.
fn traces() -> impl Iterator<Item = Vec<Value>> {
    let texts = (0..).map(|seed| recorded(seed, 1).to_json_lines());
    let texts = texts.filter(|text| !text.contains("\"retry_after_ns\":184467440737"));
    texts.map(|text| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The places of all values.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                leaves(field, &format!("{path}/{name}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

/// The same value, a little different.
fn alter(value: &mut Value) {
    *value = match value {
        Value::Null => Value::from(1),
        Value::Bool(value) => Value::from(!*value),
        Value::Number(number) => match number.as_u64() {
            Some(u64::MAX) => Value::from(0),
            Some(number) => Value::from(number + 1),
            // A float.
            None => Value::from(1),
        },
        Value::String(text) => {
            let last = text.pop();
            Value::from(format!("{text}{}", if last == Some('0') { '1' } else { '0' }))
        }
        Value::Array(_) | Value::Object(_) => unreachable!("a leaf"),
    };
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_trace_with_one_altered_field_is_refused_at_its_line() {
    let random = &mut StdRng::seed_from_u64(8);
    let (mut altered, mut explained) = (0, 0);
    for lines in traces().take(400) {
        assert!(Trace::from_json_lines(&text(&lines)).is_ok(), "the order of fields is free");
        for _ in 0..10 {
            let (mut lines, mut found) = (lines.clone(), Vec::new());
            let line = random.random_range(0..lines.len());
            leaves(&lines[line], "", &mut found);
            let path = &found[random.random_range(0..found.len())];
            alter(lines[line].pointer_mut(path).unwrap());
            let error = Trace::from_json_lines(&text(&lines)).expect_err(path);
            assert_eq!(error.line(), line + 1, "{path}: {error}");
            altered += 1;
            explained += usize::from(error.difference().is_some());
        }
    }
    assert_eq!(altered, 4_000);
    assert!(explained > 800, "{explained} named by replay, beside those that are no event at all");
}

/// What replay calls the difference, for each value that it can judge.
fn what(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next()?;
    let decided = path.starts_with("/event/decided/");
    Some(match name {
        "root" => "root",
        "call" => "call",
        "downstream" if path == "/downstream" => "downstream",
        "attempt" => "attempt",
        "owner" => "owner",
        "time_left_ns" => "time_left_ns",
        "plain" => "key",
        "took_ns" => "took_ns",
        "elapsed_ns" => "elapsed_ns",
        "waited_ns" => "waited_ns",
        "unanswered" if decided => "unanswered",
        "previous_delay_ns" if decided => "previous_delay_ns",
        "retry_after_ns" if decided => "class",
        "limit_ns" | "drawn_ns" => "decision",
        _ => return None,
    })
}

/// The altered line has no check, so that it is taken as it is.
fn replay_of_altered(lines: &[Value], line: usize, path: &str) -> Result<usize, Difference> {
    let mut lines = lines.to_vec();
    alter(lines[line].pointer_mut(path).unwrap());
    lines[line].as_object_mut().unwrap().remove("check");
    Trace::from_json_lines(&text(&lines)).unwrap().replay()
}

#[test]
fn replay_names_the_first_difference() {
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    for lines in traces().take(60) {
        // What the first event of a call says is what the others are compared with.
        let is_first = |line: &usize| lines[*line].pointer("/event/call_started").is_some();
        for line in (0..lines.len()).filter(|line| !is_first(line)) {
            let mut found = Vec::new();
            leaves(&lines[line], "", &mut found);
            for (path, what) in found.iter().filter_map(|path| Some((path, what(path)?))) {
                let difference = replay_of_altered(&lines, line, path).expect_err(path);
                assert_eq!((difference.what(), difference.event()), (what, line + 1), "{path}");
                *named.entry(what).or_default() += 1;
            }
        }
    }
    let names: Vec<_> = named.into_keys().collect();
    assert_eq!(
        names,
        [
            "attempt",
            "call",
            "class",
            "decision",
            "downstream",
            "elapsed_ns",
            "key",
            "owner",
            "previous_delay_ns",
            "root",
            "time_left_ns",
            "took_ns",
            "unanswered",
            "waited_ns"
        ]
    );
}

#[test]
fn another_draw_or_another_policy_is_another_decision() {
    // A wait that is drawn, from at least a microsecond.
    let is_retry = |line: &Value| {
        let Some(retry) = line.pointer("/event/decided/decision/retry") else { return false };
        let (limit, drawn) = (retry["limit_ns"].as_u64(), retry["drawn_ns"].as_u64());
        limit > Some(1_000) && drawn < limit
    };
    let lines = traces().find(|lines| lines.iter().any(is_retry)).unwrap();
    let place = lines.iter().position(is_retry).unwrap();
    let replay = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut lines = lines.clone();
        change(&mut lines);
        for line in &mut lines {
            line.as_object_mut().unwrap().remove("check");
        }
        Trace::from_json_lines(&text(&lines)).unwrap().replay().unwrap_err()
    };
    let other_draw = replay(&|lines| {
        let draw = lines[place].pointer_mut("/event/decided/draw").unwrap();
        *draw = Value::from(draw.as_u64().unwrap() ^ (1 << 63));
    });
    assert_eq!((other_draw.what(), other_draw.event()), ("decision", place + 1));
    let other_policy = replay(&|lines| {
        let begin = lines.iter().position(|line| line["id"] == lines[place]["id"]).unwrap();
        lines[begin]["event"]["call_started"]["policy"]["max_attempts"] = Value::from(1);
    });
    assert_eq!((other_policy.what(), other_policy.event()), ("decision", place + 1));
    let sentence = other_policy.to_string();
    assert!(sentence.ends_with("and replay makes it Stop(AttemptLimit)"), "{sentence}");
}

#[test]
fn what_is_no_trace_is_an_error_at_its_line() {
    let trace = recorded(3, 2);
    let text = trace.to_json_lines();
    let error = |text: &str| Trace::from_json_lines(text).unwrap_err();
    assert_eq!(error("{}").to_string().split(':').next(), Some("line 1 is no event"));
    assert_eq!(error(&format!("{text}\nnonsense")).line(), text.lines().count() + 2);
    let headless: Vec<_> = text.lines().skip(1).collect();
    assert_eq!(
        error(&headless.join("\n")).to_string(),
        "line 1 is of a call whose beginning is missing"
    );
    let doubled = format!("{text}{text}");
    let difference = Trace::from_json_lines(&doubled).unwrap().replay().unwrap_err();
    assert_eq!(difference.event(), text.lines().count() + 1);
    assert_eq!(Trace::from_json_lines("\n\n").unwrap().replay(), Ok(0));
}
