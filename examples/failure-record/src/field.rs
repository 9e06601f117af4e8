//! The fields of a record as they are written on the command line, in a link and in the form, and
//! what each of them may be.

use crate::record::{Owner, Record};
use retry_runtime::{Budget, Jitter};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A field: its name, what to write, and how it is read and written.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// As an option, `--name`; in a link, `name=`.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What may be written.
    pub takes: &'static str,
    read: fn(&mut Record, &str, Limits) -> Result<(), String>,
    write: fn(&Record) -> String,
}

/// All of them, in the order in which they are shown.
pub const FIELDS: [Field; 12] = [
    Field {
        name: "p99",
        about: "99th percentile of successful calls; an attempt may last twice that",
        takes: "1ms to 1h",
        read: |record, text, _| time(text).map(|time| record.p99 = time),
        write: |record| written(record.p99),
    },
    Field {
        name: "attempts",
        about: "attempts of a layer that retries, the first included",
        takes: "1 to 10",
        read: |record, text, _| count(text, 1..=10).map(|count| record.attempts = count),
        write: |record| record.attempts.to_string(),
    },
    Field {
        name: "layers",
        about: "layers of calls, one inside the other",
        takes: "1 to 8",
        read: |record, text, _| count(text, 1..=8).map(|count| record.layers = count),
        write: |record| record.layers.to_string(),
    },
    Field {
        name: "owner",
        about: "who retries: the outermost layer, or every layer",
        takes: "one, every",
        read: |record, text, _| word(text, &OWNERS).map(|owner| record.owner = owner),
        write: |record| named(&record.owner, &OWNERS),
    },
    Field {
        name: "base",
        about: "limit of the first wait",
        takes: "1ms to 1h",
        read: |record, text, _| time(text).map(|time| record.base = time),
        write: |record| written(record.base),
    },
    Field {
        name: "cap",
        about: "what the limit of a wait doubles up to",
        takes: "the base to 1h",
        read: |record, text, _| time(text).map(|time| record.cap = time),
        write: |record| written(record.cap),
    },
    Field {
        name: "jitter",
        about: "how a wait is drawn below its limit",
        takes: "full, equal, decorrelated, none",
        read: |record, text, _| word(text, &JITTERS).map(|jitter| record.jitter = jitter),
        write: |record| named(&record.jitter, &JITTERS),
    },
    Field {
        name: "budget",
        about: "fraction of the calls that may be retried",
        takes: "above 0 up to 1, or none",
        read: |record, text, _| ratio(text).map(|ratio| record.budget = ratio),
        write: |record| record.budget.map_or_else(|| NONE.to_owned(), |ratio| ratio.to_string()),
    },
    Field {
        name: "group",
        about: "requests that fail together",
        takes: "1 or more",
        read: |record, text, limits| {
            count(text, 1..=limits.group).map(|count| record.group = count)
        },
        write: |record| record.group.to_string(),
    },
    Field {
        name: "window",
        about: "how long the fault lasts",
        takes: "1ms to 1h",
        read: |record, text, _| time(text).map(|time| record.window = time),
        write: |record| written(record.window),
    },
    Field {
        name: "fast-failure",
        about: "how long a failure takes",
        takes: "1ms to the attempt timeout",
        read: |record, text, _| time(text).map(|time| record.fast_failure = time),
        write: |record| written(record.fast_failure),
    },
    Field {
        name: "seed",
        about: "what all chance comes from",
        takes: "a whole number",
        read: |record, text, _| {
            let number =
                text.parse().map_err(|_| format!("{text:?} is no seed: write a whole number"));
            number.map(|seed| record.seed = seed)
        },
        write: |record| record.seed.to_string(),
    },
];

/// How large a record may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests in the group.
    pub group: u32,
    /// Calls of the leaf that the group could make.
    pub leaf_calls: u64,
}

impl Limits {
    /// For the page, which answers while somebody types.
    pub const PAGE: Self = Self { group: 2_000, leaf_calls: 20_000 };
    /// For the command line, which has a progress bar.
    pub const COMMAND_LINE: Self = Self { group: 1_000_000, leaf_calls: 10_000_000 };
}

/// A field that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct FieldError {
    /// Its name.
    pub field: String,
    /// What is wrong, and what to write.
    pub message: String,
}

const TIMES: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_secs(3_600);

const NONE: &str = "none";

const JITTERS: [(&str, Jitter); 4] = [
    ("full", Jitter::Full),
    ("equal", Jitter::Equal),
    ("decorrelated", Jitter::Decorrelated),
    (NONE, Jitter::None),
];

const OWNERS: [(&str, Owner); 2] = [("one", Owner::One), ("every", Owner::Every)];

impl Record {
    /// Reads a record from the fields that are written; the others have their defaults. Of a field
    /// that is written twice, the last one counts.
    ///
    /// # Errors
    ///
    /// Every field that is refused, or not known.
    pub fn read(fields: &[(String, String)], limits: Limits) -> Result<Self, Vec<FieldError>> {
        let mut record = Self::default();
        let mut refused = Refused::default();
        for Field { name, read, .. } in &FIELDS {
            if let Some((_, text)) = fields.iter().rev().find(|(other, _)| other == name) {
                let read = read(&mut record, text.trim(), limits);
                read.unwrap_or_else(|message| refused.push(name, message));
            }
        }
        for (name, _) in fields {
            if FIELDS.iter().all(|field| field.name != name) {
                refused.push(name, "a record has no such field".to_owned());
            }
        }
        record.check_together(limits, &mut refused);
        if refused.0.is_empty() { Ok(record) } else { Err(refused.0) }
    }

    /// The fields as they are written, in the order of [`FIELDS`].
    #[must_use]
    pub fn written(&self) -> [(&'static str, String); FIELDS.len()] {
        FIELDS.map(|field| (field.name, (field.write)(self)))
    }

    /// The fields that differ from the default, as the end of a link.
    #[must_use]
    pub fn query(&self) -> String {
        let default = Self::default().written();
        let differ = self.written().into_iter().zip(default).filter(|(own, other)| own != other);
        // All that is written are words, numbers and spaces.
        let pairs: Vec<_> =
            differ.map(|((name, text), _)| format!("{name}={}", text.replace(' ', "+"))).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }

    /// What is wrong with fields that are each in order.
    fn check_together(&self, limits: Limits, refused: &mut Refused) {
        if self.cap < self.base && refused.none_of(&["base", "cap"]) {
            let base = written(self.base);
            refused.push("cap", format!("it is below the base: write {base} or more"));
        }
        let timeout = self.attempt_timeout();
        if self.fast_failure > timeout && refused.none_of(&["fast-failure", "p99"]) {
            let message = format!(
                "the attempt timeout is over before: write up to {}, or a longer p99",
                written(timeout)
            );
            refused.push("fast-failure", message);
        }
        let leaf_calls = self.most_leaf_calls().saturating_mul(self.group.into());
        if leaf_calls > limits.leaf_calls
            && refused.none_of(&["group", "attempts", "layers", "owner"])
        {
            let message = format!(
                "{} requests of up to {} leaf calls can make {leaf_calls}, and {} is the limit: \
                 write fewer requests, attempts or layers",
                self.group,
                self.most_leaf_calls(),
                limits.leaf_calls
            );
            refused.push("group", message);
        }
    }
}

/// What is wrong so far.
#[derive(Debug, Default)]
struct Refused(Vec<FieldError>);

impl Refused {
    fn push(&mut self, field: &str, message: String) {
        self.0.push(FieldError { field: field.to_owned(), message });
    }

    fn none_of(&self, names: &[&str]) -> bool {
        self.0.iter().all(|error| !names.contains(&error.field.as_str()))
    }
}

fn count<T: FromStr + PartialOrd + Display>(
    text: &str,
    range: RangeInclusive<T>,
) -> Result<T, String> {
    let (least, most) = (range.start(), range.end());
    let number = text.parse();
    let number =
        number.map_err(|_| format!("{text:?} is no whole number: write {least} to {most}"))?;
    if range.contains(&number) {
        return Ok(number);
    }
    Err(format!("it is {number}: write {least} to {most}"))
}

fn time(text: &str) -> Result<Duration, String> {
    let (least, most) = (TIMES.start(), TIMES.end());
    let time = humantime::parse_duration(text).map_err(|_| {
        format!("{text:?} is no time: write a number and a unit, such as 100ms or 2s")
    })?;
    if TIMES.contains(&time) {
        return Ok(time);
    }
    Err(format!("it is {}: write {} to {}", written(time), written(*least), written(*most)))
}

fn written(time: Duration) -> String {
    humantime::format_duration(time).to_string()
}

fn ratio(text: &str) -> Result<Option<f64>, String> {
    if text == NONE {
        return Ok(None);
    }
    let ratio = text
        .parse()
        .map_err(|_| format!("{text:?} is no fraction: write a number such as 0.2, or `none`"))?;
    match Budget::ratio(ratio).check() {
        Ok(()) => Ok(Some(ratio)),
        Err(_) => Err(format!("it is {ratio}: write a number above 0 and up to 1, or `none`")),
    }
}

fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        format!("{text:?} is none of them: write {}", known.join(", "))
    })
}

fn named<T: PartialEq>(value: &T, words: &[(&str, T)]) -> String {
    words.iter().find(|(_, other)| other == value).map_or("", |(word, _)| *word).to_owned()
}
