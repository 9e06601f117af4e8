use retry_runtime::Classify;
use std::time::Duration;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(throttled, retry_after = after)]
    Busy { wait: Duration },
}

fn main() {
    let wait = Duration::ZERO;
    let _ = PayError::Busy { wait }.classify();
}
