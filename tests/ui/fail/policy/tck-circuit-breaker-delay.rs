use retry_runtime::{Breaker, Downstream};
use std::time::Duration;

static PAYMENTS: Downstream =
    Downstream::new("payments").breaker(Breaker::consecutive(5).open_for(Duration::ZERO));

fn main() {
    let _ = (PAYMENTS.name(), Duration::ZERO);
}
