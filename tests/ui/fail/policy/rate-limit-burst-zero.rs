use retry_runtime::{Downstream, RateLimit};

static PAYMENTS: Downstream =
    Downstream::new("payments").rate_limit(RateLimit::per_second(1).burst(0));

fn main() {
    let _ = PAYMENTS.name();
}
