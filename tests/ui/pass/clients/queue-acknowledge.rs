#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Error, Policy, Reason, retry};
use std::time::Duration;
use tokio::time::Instant;

const ACK: Policy =
    Policy::fixed(Duration::from_millis(100)).max_attempts(5).deadline(Duration::from_secs(30));

struct Delivery {
    tag: u32,
    /// When the broker gives the message to somebody else.
    lease: Instant,
}

#[retry(policy = ACK, idempotent, deadline = delivery.lease)]
async fn acknowledge(delivery: &Delivery) -> Result<(), Error<E>> {
    tokio::time::sleep(Duration::from_millis(40)).await;
    down(delivery.tag).await.map(drop)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let lease = Instant::now() + Duration::from_millis(30);
    script([]);
    let error = acknowledge(&Delivery { tag: 3, lease }).await.unwrap_err();
    assert_eq!((error.reason(), calls().len()), (Reason::Deadline, 0));
    let lease = Instant::now() + Duration::from_secs(60);
    script([Err(E(1)), Err(E(1)), Ok(0)]);
    assert_eq!(acknowledge(&Delivery { tag: 3, lease }).await, Ok(()));
    assert_eq!(calls(), [3, 3, 3]);
}
