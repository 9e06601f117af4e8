#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, Policy, retry};
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use std::time::Duration;

type Flags = Arc<BTreeMap<&'static str, bool>>;

const QUICK: Policy = P.max_attempts(2).deadline(Duration::from_millis(500));

#[derive(Default)]
struct FeatureFlags {
    last: RwLock<Flags>,
}

impl FeatureFlags {
    #[retry(policy = QUICK, idempotent)]
    async fn fetch(&self) -> Result<Flags, Error<E>> {
        let on = down(1).await? > 0;
        Ok(Arc::new([("new-checkout", on)].into()))
    }

    /// The flags of now, or the last ones that are known.
    async fn current(&self) -> Flags {
        if let Ok(flags) = self.fetch().await {
            *self.last.write().unwrap() = flags;
        }
        Arc::clone(&self.last.read().unwrap())
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let flags = FeatureFlags::default();
    script([Err(E(503)), Ok(1), Err(E(503)), Err(E(503))]);
    assert_eq!(flags.current().await.get("new-checkout"), Some(&true));
    assert_eq!(flags.current().await.get("new-checkout"), Some(&true));
    assert_eq!(calls(), [1, 1, 1, 1]);
}
