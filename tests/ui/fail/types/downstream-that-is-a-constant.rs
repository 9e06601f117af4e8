use kit::*;
use retry_runtime::Downstream;

const PAYMENTS: Downstream = Downstream::new("payments");

#[retry(policy = P, idempotent, downstream = PAYMENTS)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
