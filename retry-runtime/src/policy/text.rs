//! Text that can be built while compiling, so that a constant is refused in the words of a run-time error.

use std::time::Duration;

/// Room for every sentence that one policy can earn.
const ROOM: usize = 1536;

/// A short text in a fixed buffer; what does not fit is cut.
pub(crate) struct Text {
    bytes: [u8; ROOM],
    length: usize,
}

impl Text {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; ROOM], length: 0 }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(crate) const fn as_str(&self) -> &str {
        // Only whole strings and digits were pushed, so the bytes are valid UTF-8 up to `length`.
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    pub(crate) const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if self.length + text.len() > ROOM {
            return self;
        }
        let mut at = 0;
        while at < text.len() {
            self.bytes[self.length] = text[at];
            self.length += 1;
            at += 1;
        }
        self
    }

    pub(crate) const fn number(self, number: u128) -> Self {
        let text = if number >= 10 { self.number(number / 10) } else { self };
        text.push(DIGITS[(number % 10) as usize])
    }

    /// In the largest unit, up to seconds, that needs no fraction.
    pub(crate) const fn duration(self, duration: Duration) -> Self {
        self.nanos(duration.as_nanos())
    }

    pub(crate) const fn nanos(self, nanos: u128) -> Self {
        if nanos != 0 && nanos % 1_000_000_000 == 0 {
            self.number(nanos / 1_000_000_000).push(" s")
        } else if nanos % 1_000_000 == 0 {
            self.number(nanos / 1_000_000).push(" ms")
        } else if nanos % 1_000 == 0 {
            self.number(nanos / 1_000).push(" µs")
        } else {
            self.number(nanos).push(" ns")
        }
    }

    /// With up to three digits after the point.
    pub(crate) const fn float(self, float: f64) -> Self {
        if float.is_nan() {
            return self.push("NaN");
        }
        if float < 0.0 {
            return self.push("-").float(-float);
        }
        if float.is_infinite() {
            return self.push("infinity");
        }
        if float > 0.0 && float < 0.001 {
            return self.push("less than 0.001");
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative here, and `as` saturates"
        )]
        let thousandths = (float * 1000.0 + 0.5) as u128;
        let text = self.number(thousandths / 1000);
        let fraction = thousandths % 1000;
        if fraction == 0 {
            return text;
        }
        let text = text.push(".").number(fraction / 100);
        if fraction % 100 == 0 {
            return text;
        }
        let text = text.number(fraction / 10 % 10);
        if fraction % 10 == 0 { text } else { text.number(fraction % 10) }
    }
}

/// Makes an error of a type that has a `text`: the same words as a compile error and at run time.
macro_rules! error_in_words {
    ($error:ident) => {
        impl std::fmt::Display for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.text().as_str())
            }
        }

        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($error)).field(&self.text().as_str()).finish()
            }
        }

        impl std::error::Error for $error {}
    };
}

pub(crate) use error_in_words;

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

#[cfg(test)]
mod tests {
    use super::*;

    fn duration(nanos: u64) -> String {
        Text::new().duration(Duration::from_nanos(nanos)).as_str().to_owned()
    }

    fn float(float: f64) -> String {
        Text::new().float(float).as_str().to_owned()
    }

    #[test]
    fn durations_are_written_in_the_largest_unit_without_a_fraction() {
        assert_eq!(duration(0), "0 ms");
        assert_eq!(duration(690_000_000), "690 ms");
        assert_eq!(duration(1_500_000_000), "1500 ms");
        assert_eq!(duration(30_000_000_000), "30 s");
        assert_eq!(duration(12_000), "12 µs");
        assert_eq!(duration(1), "1 ns");
    }

    #[test]
    fn floats_are_written_with_what_they_need() {
        assert_eq!(float(0.5), "0.5");
        assert_eq!(float(-2.0), "-2");
        assert_eq!(float(1.25), "1.25");
        assert_eq!(float(0.051), "0.051");
        assert_eq!(float(f64::NAN), "NaN");
        assert_eq!(float(f64::INFINITY), "infinity");
        assert_eq!(float(f64::NEG_INFINITY), "-infinity");
    }

    #[test]
    fn a_text_that_does_not_fit_is_left_out_without_a_panic() {
        let long = "x".repeat(ROOM);
        assert_eq!(Text::new().push(&long).push("y").as_str(), long);
        assert!(Text::new().push("a").push(&long).as_str() == "a");
    }
}
