#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Error, Policy, retry};
use std::time::Duration;

const PUSH: Policy = Policy::exponential(Duration::from_millis(500), Duration::from_secs(5))
    .max_attempts(4)
    .attempt_timeout(Duration::from_secs(1))
    .deadline(Duration::from_secs(10));

struct Exporter {
    batch: u64,
    pending: Vec<f64>,
}

impl Exporter {
    #[retry(policy = PUSH, idempotency_key = format!("{}-{}", host, self.batch))]
    async fn push(&self, host: &str) -> Result<(), Error<E>> {
        let header = retry_runtime::idempotency_key();
        assert_eq!(header.unwrap().as_str(), format!("{host}-1"));
        down(self.pending.len() as u32).await.map(drop)
    }

    async fn flush(&mut self, host: &str) {
        self.batch += 1;
        if self.push(host).await.is_ok() {
            self.pending.clear();
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut exporter = Exporter { batch: 0, pending: vec![0.5, 0.7] };
    script([Err(E(503)), Err(E(503)), Err(E(503)), Ok(0)]);
    exporter.flush("web-1").await;
    assert!(exporter.pending.is_empty());
    assert_eq!(calls(), [2, 2, 2, 2]);
}
