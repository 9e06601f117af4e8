use kit::*;
use retry_runtime::Downstream;

#[retry(policy = P, idempotent, downstream = downstream)]
async fn read(downstream: Option<&Downstream>) -> Result<u32, E> {
    down(downstream.iter().count() as u32).await
}

fn main() {
    drop(read(None));
}
