#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, idempotency_key, retry};
use std::collections::HashSet;
use std::sync::Mutex;

/// Runs the script "if the key is new then increment" on the server.
struct Redis {
    seen: Mutex<HashSet<String>>,
    counter: Mutex<u32>,
}

impl Redis {
    async fn eval(&self, key: &str) -> Result<u32, E> {
        if self.seen.lock().unwrap().insert(key.to_owned()) {
            *self.counter.lock().unwrap() += 1;
        }
        let counter = *self.counter.lock().unwrap();
        down(counter).await
    }

    #[retry(policy = P, idempotency_key = format!("visit-{visit}"))]
    async fn count(&self, visit: u64) -> Result<u32, Error<E>> {
        let key = idempotency_key().expect("this runs inside a keyed call");
        self.eval(key.as_str()).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let redis = Redis { seen: Mutex::default(), counter: Mutex::default() };
    script([Err(E(1)), Err(E(1)), Ok(0), Ok(0)]);
    assert!(redis.count(1).await.is_ok() && redis.count(2).await.is_ok());
    assert_eq!(calls(), [1, 1, 1, 2], "counted once for each visit");
}
