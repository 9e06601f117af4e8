use retry_runtime::{ConcurrencyLimit, Downstream};

static PAYMENTS: Downstream =
    Downstream::new("payments").concurrency_limit(ConcurrencyLimit::new(0));

fn main() {
    let _ = PAYMENTS.name();
}
