use retry_runtime::{Breaker, Downstream};
use std::time::Duration;

static PAYMENTS: Downstream =
    Downstream::new("payments").breaker(Breaker::failure_ratio(2.0));

fn main() {
    let _ = (PAYMENTS.name(), Duration::ZERO);
}
