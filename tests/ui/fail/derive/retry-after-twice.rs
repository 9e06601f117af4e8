use retry_runtime::Classify;
use std::time::Duration;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(throttled, retry_after = 0, retry_after = 1)]
    Busy(Duration, Duration),
}

fn main() {
    let _ = PayError::Busy(Duration::ZERO, Duration::ZERO).classify();
}
