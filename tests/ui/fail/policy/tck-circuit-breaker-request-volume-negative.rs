use retry_runtime::{Breaker, Downstream};
use std::time::Duration;

static PAYMENTS: Downstream =
    Downstream::new("payments").breaker(Breaker::failure_ratio(0.5).minimum_calls(-1));

fn main() {
    let _ = (PAYMENTS.name(), Duration::ZERO);
}
