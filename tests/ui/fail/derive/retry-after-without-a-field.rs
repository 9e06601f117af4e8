use retry_runtime::Classify;
use std::time::Duration;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(throttled, retry_after)]
    Busy(Duration),
}

fn main() {
    let _ = PayError::Busy(Duration::ZERO).classify();
}
