//! Policies read from files are refused in the words that constants are refused in.

use crate::server::{millis, secs};
use retry_runtime::{Jitter, Policy};
use std::time::Duration;

const DAY: Duration = secs(86_400);
const SOUND: Policy = Policy::exponential(millis(50), secs(1)).deadline(secs(60));

fn read(text: &str) -> Result<Policy, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| error.message().to_owned())
}

/// Each policy as a constant, which the compiler evaluates, and as TOML.
macro_rules! bad_policies {
    ($($name:ident: $constant:expr, $text:literal;)*) => {
        $(
            #[test]
            fn $name() {
                const BAD: Policy = $constant;
                const IS_REFUSED: bool = BAD.check().is_err();
                assert!(IS_REFUSED);
                let sentence = BAD.check().unwrap_err().to_string();
                assert_eq!(read($text), Err(sentence));
            }
        )*
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

bad_policies! {
    base_zero: Policy::exponential(Duration::ZERO, secs(1)).deadline(DAY),
        "backoff = { exponential = { base = '0s', cap = '1s' } }\ndeadline = '1day'";
    interval_zero: Policy::fixed(Duration::ZERO).deadline(DAY),
        "backoff = { fixed = '0ms' }\ndeadline = '1day'";
    hot_loop: Policy::exponential(Duration::ZERO, Duration::ZERO).max_attempts(500).deadline(DAY),
        "backoff = { exponential = { base = '0s', cap = '0s' } }\nmax_attempts = 500\ndeadline = '1day'";
    cap_below_base: Policy::exponential(secs(10), secs(1)).deadline(DAY),
        "backoff = { exponential = { base = '10s', cap = '1s' } }\ndeadline = '1day'";
    no_attempts: SOUND.max_attempts(0),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmax_attempts = 0\ndeadline = '1m'";
    no_deadline: Policy::exponential(millis(50), secs(1)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }";
    no_deadline_immediate: Policy::immediate(), "backoff = 'immediate'";
    no_deadline_once: Policy::once(), "backoff = 'once'";
    deadline_zero: SOUND.deadline(Duration::ZERO),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\ndeadline = '0s'";
    multiplier_half: SOUND.multiplier(0.5),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmultiplier = 0.5\ndeadline = '1m'";
    multiplier_negative: SOUND.multiplier(-2.0),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmultiplier = -2.0\ndeadline = '1m'";
    multiplier_nan: SOUND.multiplier(f64::NAN),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmultiplier = nan\ndeadline = '1m'";
    multiplier_infinite: SOUND.multiplier(f64::INFINITY),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmultiplier = inf\ndeadline = '1m'";
    multiplier_zero: SOUND.multiplier(0.0),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmultiplier = 0.0\ndeadline = '1m'";
    immediate_five_times: Policy::immediate().max_attempts(5).deadline(secs(1)),
        "backoff = 'immediate'\nmax_attempts = 5\ndeadline = '1s'";
    no_jitter: SOUND.jitter(Jitter::None),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\njitter = 'none'\ndeadline = '1m'";
    no_jitter_fixed: Policy::fixed(secs(1)).jitter(Jitter::None).deadline(secs(9)),
        "backoff = { fixed = '1s' }\njitter = 'none'\ndeadline = '9s'";
    timeout_zero: SOUND.attempt_timeout(Duration::ZERO),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nattempt_timeout = '0s'\ndeadline = '1m'";
    timeout_short: SOUND.attempt_timeout(millis(5)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nattempt_timeout = '5ms'\ndeadline = '1m'";
    timeout_beyond_deadline: SOUND.attempt_timeout(secs(30)).deadline(secs(5)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nattempt_timeout = '30s'\ndeadline = '5s'";
    worst_case: SOUND.attempt_timeout(millis(180)).deadline(millis(500)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nattempt_timeout = '180ms'\ndeadline = '500ms'";
    worst_case_of_waits: SOUND.max_attempts(100).deadline(secs(10)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmax_attempts = 100\ndeadline = '10s'";
    unreachable_equal: SOUND.jitter(Jitter::Equal).max_attempts(4).deadline(millis(175)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\njitter = 'equal'\nmax_attempts = 4\ndeadline = '175ms'";
    unreachable_decorrelated: SOUND.jitter(Jitter::Decorrelated).deadline(millis(100)),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\njitter = 'decorrelated'\ndeadline = '100ms'";
    unreachable_though_cut: Policy::fixed(secs(10)).jitter(Jitter::Equal).cut_by_deadline().deadline(secs(5)),
        "backoff = { fixed = '10s' }\njitter = 'equal'\ncut_by_deadline = true\ndeadline = '5s'";
    three_at_once: SOUND.max_attempts(0).multiplier(0.5).attempt_timeout(Duration::ZERO),
        "backoff = { exponential = { base = '50ms', cap = '1s' } }\nmax_attempts = 0\nmultiplier = 0.5\nattempt_timeout = '0s'\ndeadline = '1m'";
}

#[test]
fn there_are_at_least_twenty_five_bad_policies() {
    assert!(NAMES.len() >= 25, "{}", NAMES.len());
}

#[test]
fn a_sound_file_gives_the_policy_that_the_builder_gives() {
    let written = "
        backoff = { exponential = { base = '50ms', cap = '1s' } }
        jitter = 'decorrelated'
        multiplier = 3.0
        max_attempts = 4
        attempt_timeout = '10ms'
        deadline = '1m 30s'
        cut_by_deadline = true
        max_retry_after = '10s'
        allow = { short_attempt_timeout = 'same host' }
    ";
    let built = Policy::exponential(millis(50), secs(1))
        .jitter(Jitter::Decorrelated)
        .multiplier(3.0)
        .max_attempts(4)
        .attempt_timeout(millis(10))
        .deadline(secs(90))
        .cut_by_deadline()
        .max_retry_after(secs(10));
    assert_eq!(read(written), Ok(built));
    let immediate = Policy::immediate().deadline(secs(1));
    assert_eq!(read("backoff = 'immediate'\ndeadline = '1s'"), Ok(immediate));
    let lockstep = Policy::fixed(secs(1)).jitter(Jitter::None).deadline(secs(9));
    let text = "backoff = { fixed = '1s' }\njitter = 'none'\ndeadline = '9s'\n\
                allow = { no_jitter = 'one poller' }";
    assert_eq!(read(text), Ok(lockstep));
}

#[test]
fn what_cannot_be_read_is_an_error_that_names_the_field_or_the_value() {
    for (text, named) in [
        ("", "missing field `backoff`"),
        ("backoff = 'fast'", "unknown variant `fast`"),
        ("backoff = 'once'\ndeadlin = '1s'", "unknown field `deadlin`, expected one of"),
        ("backoff = 'once'\ndeadline = 'soon'", "`soon` is no duration"),
        ("backoff = 'once'\ndeadline = '10'", "`10` is no duration"),
        ("backoff = 'once'\nmax_attempts = -1", "invalid value: integer `-1`"),
        ("backoff = { fixed = '1s' }\nallow = { no_jitter = ' ' }", "for a reason: write one"),
        ("backoff = 'once'\nallow = { worst_case = 'x' }", "unknown field `worst_case`"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(named), "{error}");
    }
}
