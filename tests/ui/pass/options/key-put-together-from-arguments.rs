#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotency_key = format!("{tenant}-{order}"))]
async fn charge(tenant: &str, order: u64) -> Result<u32, E> {
    let expected = format!("{tenant}-{order}");
    assert_eq!(retry_runtime::idempotency_key().unwrap().as_str(), expected);
    down(order as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(charge("shop", 12).await, Ok(7));
    assert_eq!(calls(), [12, 12]);
}
