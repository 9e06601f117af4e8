//! What a record may say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

use failure_record::field::{FIELDS, Limits};
use failure_record::record::{Owner, Record};
use retry_runtime::Jitter;
use std::time::Duration;

fn pairs(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

fn read(fields: &[(&str, &str)]) -> Record {
    Record::read(&pairs(fields), Limits::PAGE).unwrap()
}

/// The fields that are refused, and why.
fn refused(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    let errors = Record::read(&pairs(fields), Limits::PAGE).unwrap_err();
    errors.into_iter().map(|error| (error.field, error.message)).collect()
}

#[test]
fn fields_that_are_left_out_have_their_defaults() {
    assert_eq!(read(&[]), Record::default());
    assert!(FIELDS.iter().all(|field| !field.about.is_empty() && !field.takes.is_empty()));
}

#[test]
fn every_field_is_read() {
    let record = read(&[
        ("layers", "2"),
        ("attempts", "4"),
        ("base", "50ms"),
        ("cap", "1m 30s"),
        ("jitter", "equal"),
        ("budget", " none "),
        ("p99", "90ms"),
        ("group", "7"),
        ("group", "8"),
        ("window", "1s"),
        ("fast-failure", "1ms 500us"),
        ("owner", "every"),
        ("seed", "18446744073709551615"),
    ]);
    let expected = Record {
        layers: 2,
        attempts: 4,
        base: Duration::from_millis(50),
        cap: Duration::from_secs(90),
        jitter: Jitter::Equal,
        budget: None,
        p99: Duration::from_millis(90),
        group: 8,
        window: Duration::from_secs(1),
        fast_failure: Duration::from_micros(1_500),
        owner: Owner::Every,
        seed: u64::MAX,
    };
    assert_eq!(record, expected);
    let query = record.query();
    assert!(query.starts_with("?p99=90ms&") && query.contains("cap=1m+30s"), "{query}");
    assert_eq!(Record::default().query(), "");
}

#[test]
fn each_field_that_is_refused_has_a_sentence_and_all_of_them_at_once() {
    let wrong = [
        ("layers", "9", "it is 9: write 1 to 8"),
        ("attempts", "0", "it is 0: write 1 to 10"),
        ("base", "0ms", "it is 0s: write 1ms to 1h"),
        ("cap", "2h", "it is 2h: write 1ms to 1h"),
        ("jitter", "some", "\"some\" is none of them: write full, equal, decorrelated, none"),
        ("budget", "NaN", "it is NaN: write a number above 0 and up to 1, or `none`"),
        ("p99", "soon", "\"soon\" is no time: write a number and a unit, such as 100ms or 2s"),
        ("group", "-1", "\"-1\" is no whole number: write 1 to 2000"),
        ("window", "5", "\"5\" is no time: write a number and a unit, such as 100ms or 2s"),
        ("fast-failure", "", "\"\" is no time: write a number and a unit, such as 100ms or 2s"),
        ("owner", "two", "\"two\" is none of them: write one, every"),
        ("seed", "x", "\"x\" is no seed: write a whole number"),
        ("colour", "red", "a record has no such field"),
    ];
    let fields: Vec<_> = wrong.iter().map(|(name, text, _)| (*name, *text)).collect();
    let refused = refused(&fields);
    assert_eq!(refused.len(), wrong.len());
    for (field, _, message) in wrong {
        assert!(refused.contains(&(field.to_owned(), message.to_owned())), "{field}: {refused:?}");
    }
    for ratio in ["0", "1.1", "-0.2", "inf", "0.0000001"] {
        assert_eq!(self::refused(&[("budget", ratio)])[0].0, "budget");
    }
}

#[test]
fn fields_that_contradict_each_other_are_refused() {
    let refused_field = |fields: &[(&str, &str)]| {
        let mut refused = refused(fields);
        assert_eq!(refused.len(), 1, "{refused:?}");
        refused.remove(0)
    };
    let (field, message) = refused_field(&[("base", "2s")]);
    assert_eq!(
        (field.as_str(), message.as_str()),
        ("cap", "it is below the base: write 2s or more")
    );
    let (field, message) = refused_field(&[("fast-failure", "100ms")]);
    assert_eq!(field, "fast-failure");
    assert!(message.contains("write up to 80ms"), "{message}");
    let (field, message) = refused_field(&[("group", "2000"), ("owner", "every")]);
    assert_eq!(field, "group");
    assert!(message.contains("54000, and 20000 is the limit"), "{message}");
    // The largest number of leaf calls that could be written does not overflow.
    let (field, _) = refused_field(&[("layers", "8"), ("attempts", "10"), ("owner", "every")]);
    assert_eq!(field, "group");
}

#[test]
fn the_command_line_takes_larger_records_than_the_page() {
    let large = pairs(&[("group", "1000000")]);
    assert!(Record::read(&large, Limits::PAGE).is_err());
    assert!(Record::read(&large, Limits::COMMAND_LINE).is_ok());
}
