#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn upload(block: [u8; 16 * 1024]) -> Result<u32, E> {
    down(block.iter().map(|byte| u32::from(*byte)).sum()).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let future = upload([1; 16 * 1024]);
    // An async function of its own holds an argument twice; the retry adds no third copy.
    assert!(size_of_val(&future) <= 2 * 16 * 1024 + 1024);
    script([Err(E(1)), Ok(7)]);
    assert_eq!(future.await, Ok(7));
    assert_eq!(calls(), [16 * 1024, 16 * 1024]);
}
