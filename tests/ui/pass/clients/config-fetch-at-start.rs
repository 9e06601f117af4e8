#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Class, Policy, classify, retry};
use std::error::Error;
use std::time::Duration;

type BoxError = Box<dyn Error + Send + Sync + 'static>;

// A program that starts can wait: a minute, with a few seconds in between.
const START: Policy = Policy::exponential(Duration::from_secs(1), Duration::from_secs(5))
    .max_attempts(12)
    .attempt_timeout(Duration::from_secs(4))
    .deadline(Duration::from_secs(60))
    .cut_by_deadline();

fn class(error: &BoxError) -> Class {
    classify::find::<E>(error.as_ref()).unwrap_or(Class::PERMANENT)
}

#[retry(policy = START, idempotent, classify = class)]
async fn config(source: &str) -> Result<Vec<(String, u32)>, BoxError> {
    let (scheme, name) = source.split_once("://").ok_or("a source is `scheme://name`")?;
    let port: u32 = name.rsplit(':').next().unwrap_or_default().parse()?;
    let value = down(port).await?;
    Ok(vec![(scheme.to_owned(), value)])
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script((0..7).map(|_| Err(E(503))).chain([Ok(7)]));
    assert_eq!(config("etcd://cfg:2379").await.unwrap(), [("etcd".to_owned(), 7)]);
    assert!(config("nonsense").await.is_err() && config("etcd://x").await.is_err());
    assert_eq!(calls(), [2379; 8]);
}
