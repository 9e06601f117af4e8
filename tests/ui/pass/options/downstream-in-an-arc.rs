#![deny(warnings)]
use kit::*;
use retry_runtime::{Budget, Downstream};
use std::sync::Arc;

#[retry(policy = P, idempotent, downstream = shared)]
async fn read(shared: Arc<Downstream>) -> Result<u32, E> {
    assert_eq!(shared.name(), "db");
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let shared = Arc::new(Downstream::new("db").budget(Budget::ratio(1.0)));
    assert_send(read(Arc::clone(&shared)));
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(read(Arc::clone(&shared)).await, Err(E(2)), "one call earns one retry");
    assert_eq!(calls(), [1, 1]);
}
