use kit::{E, down};
use retry_runtime::{Downstream, Jitter, Policy, retry};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

const EVERY_SECOND: Policy = Policy::fixed(Duration::from_secs(1))
    .jitter(Jitter::None)
    .attempt_timeout(Duration::from_millis(10))
    .deadline(Duration::from_secs(60));

pub struct Shard {
    pub downstream: Arc<Downstream>,
}

#[retry(
    policy = EVERY_SECOND,
    idempotent = "a poll changes nothing",
    downstream = Arc::clone(&shard.downstream),
    deadline = until,
    allow(no_jitter = "one poller", short_attempt_timeout = "same host"),
)]
pub async fn poll(shard: &Shard, until: Instant) -> Result<u32, E> {
    let left = until - Instant::now();
    let _ = &shard.downstream;
    down(left.as_secs() as u32).await
}
