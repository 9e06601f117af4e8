#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Downstream, Error, retry};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A downstream for each region, made when it is first needed.
#[derive(Default)]
struct Regions(Mutex<BTreeMap<&'static str, Arc<Downstream>>>);

impl Regions {
    fn get(&self, region: &'static str) -> Arc<Downstream> {
        let mut known = self.0.lock().unwrap();
        Arc::clone(known.entry(region).or_insert_with(|| Arc::new(Downstream::new(region))))
    }
}

#[retry(policy = P, idempotent, downstream = regions.get(region))]
async fn rate(
    regions: &Regions,
    region: &'static str,
    pair: (&str, &str),
) -> Result<f64, Error<E>> {
    let (from, to) = pair;
    Ok(f64::from(down((region.len() + from.len() + to.len()) as u32).await?) / 100.0)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let regions = Regions::default();
    script([Err(E(503)), Ok(108), Ok(92)]);
    assert_eq!(rate(&regions, "eu", ("EUR", "USD")).await, Ok(1.08));
    assert_eq!(rate(&regions, "us-1", ("USD", "EUR")).await, Ok(0.92));
    assert!(regions.get("eu").retry_tokens() < regions.get("us-1").retry_tokens());
    assert_eq!(calls(), [8, 8, 10]);
}
