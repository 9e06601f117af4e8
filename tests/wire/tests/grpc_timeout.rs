//! `grpc-timeout`: grpc-go, `internal/transport/http_util_test.go` and
//! `internal/grpcutil/encode_duration_test.go`.

use retry_runtime::wire::{decode_grpc_timeout, encode_grpc_timeout};
use std::time::Duration;

const HOUR: u64 = 3_600;

#[test]
fn decode() {
    let rows = [
        ("00000001n", Duration::from_nanos(1)),
        ("10u", Duration::from_micros(10)),
        ("00000010m", Duration::from_millis(10)),
        ("1234S", Duration::from_secs(1_234)),
        ("00000001M", Duration::from_secs(60)),
        ("09999999S", Duration::from_secs(9_999_999)),
        ("99999999S", Duration::from_secs(99_999_999)),
        ("99999999M", Duration::from_secs(99_999_999 * 60)),
        ("2562047H", Duration::from_secs(2_562_047 * HOUR)),
        ("0S", Duration::ZERO),
        ("00000000S", Duration::ZERO),
    ];
    for (text, timeout) in rows {
        assert_eq!(decode_grpc_timeout(text), Some(timeout), "{text}");
    }
}

/// grpc-go saturates at the longest time of its own clock, which is that of 64 bits of nanoseconds
/// with a sign. Here there is no sign: twice as long.
#[test]
fn decode_saturates() {
    let longest = Duration::from_nanos(u64::MAX);
    assert_eq!(decode_grpc_timeout("99999999H"), Some(longest));
    let most = decode_grpc_timeout("2562048H").unwrap();
    assert_eq!(most, Duration::from_secs(2_562_048 * HOUR), "not too long for this clock");
}

#[test]
fn decode_refuses() {
    for text in ["-1S", "1234x", "1234s", "1234", "1", "", "9a1S", "S", "000000000S", "1 S", "+1S"]
    {
        assert_eq!(decode_grpc_timeout(text), None, "{text}");
    }
}

#[test]
fn encode_rounds_up() {
    const NUMBER: u64 = 123_456_789;
    let rows = [
        (Duration::from_nanos(NUMBER), "123457u"),
        (Duration::from_micros(NUMBER), "123457m"),
        (Duration::from_millis(NUMBER), "123457S"),
        (Duration::from_secs(NUMBER), "2057614M"),
        (Duration::from_secs(NUMBER * 60), "2057614H"),
    ];
    for (timeout, text) in rows {
        assert_eq!(encode_grpc_timeout(timeout), text);
    }
}
