#![deny(warnings)]
use kit::*;

/// # Safety
///
/// `id` points at a number that outlives the call.
#[retry(policy = P, idempotent)]
pub async unsafe fn read(id: *const u32) -> Result<u32, E> {
    let id = unsafe { *id };
    down(id).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let id = 5;
    script([Err(E(1)), Ok(7)]);
    assert_eq!(unsafe { read(&id).await }, Ok(7));
    assert_eq!(calls(), [5, 5]);
}
