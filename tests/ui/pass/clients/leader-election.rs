#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Error, Policy, retry};
use std::time::Duration;
use tokio::time::Instant;

// Renewing has to be over before the lease is.
const RENEW: Policy = Policy::fixed(Duration::from_millis(250))
    .max_attempts(8)
    .attempt_timeout(Duration::from_millis(300))
    .deadline(Duration::from_secs(3))
    .cut_by_deadline();

struct Lease {
    holder: u32,
    ends: Instant,
}

impl Lease {
    #[retry(policy = RENEW, idempotent, deadline = self.ends)]
    async fn renew(&mut self, by: Duration) -> Result<Instant, Error<E>> {
        let ends = Instant::now() + by;
        down(self.holder).await?;
        self.ends = ends;
        Ok(ends)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut lease = Lease { holder: 5, ends: Instant::now() + Duration::from_secs(2) };
    script([Err(E(503)), Err(E(503)), Ok(0)]);
    assert_eq!(lease.renew(Duration::from_secs(10)).await, Ok(lease.ends));
    assert!(lease.ends > Instant::now() + Duration::from_secs(9));
    assert_eq!(calls(), [5, 5, 5]);
}
