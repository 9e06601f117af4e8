#![deny(warnings)]
use kit::*;
use retry_runtime::{Budget, Downstream};

static READS: Downstream = Downstream::new("replica");
static WRITES: Downstream = Downstream::new("primary").budget(Budget::ratio(0.1));

#[retry(policy = P, idempotent, downstream = if fresh { &WRITES } else { &READS })]
async fn read(fresh: bool) -> Result<u32, E> {
    down(u32::from(fresh)).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!(read(false).await, Err(E(503)));
    assert_eq!(read(true).await, Err(E(503)));
    assert_eq!(calls(), [0, 0, 0, 1]);
}
