#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn pages(from: u32) -> Result<u32, E> {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    const STEP: u32 = 10;
    static BODIES: AtomicU32 = AtomicU32::new(0);
    fn next(page: u32) -> u32 {
        page + STEP
    }
    let bodies = BODIES.fetch_add(1, Relaxed);
    down(next(from) + bodies).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(pages(1).await, Ok(7));
    assert_eq!(calls(), [11, 12]);
}
