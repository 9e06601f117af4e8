#![deny(warnings, unused_variables)]
use kit::*;

#[retry(policy = P, idempotent, deadline = __deadline, clone(__run))]
#[rustfmt::skip]
pub async fn taken(__run: u32, __call: u32, __ended: u32, __key: u32, __pause: u32, __result: u32, __downstream: u32, __deadline: tokio::time::Instant) -> Result<u32, E> {
    assert!(__deadline > tokio::time::Instant::now());
    down(__run + __call + __ended + __key + __pause + __result + __downstream).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(5);
    script([Err(E(1)), Ok(7)]);
    assert_eq!(taken(1, 2, 3, 4, 5, 6, 7, deadline).await, Ok(7));
    assert_eq!(calls(), [28, 28]);
}
