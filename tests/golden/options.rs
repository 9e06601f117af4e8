// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

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
pub async fn poll(shard: &Shard, until: Instant) -> Result<u32, E> {
    use ::retry_runtime::__private as __retry;
    const _: () = __retry::needs_no_jitter(EVERY_SECOND);
    const _: () = __retry::needs_short_attempt_timeout(EVERY_SECOND);
    static __CALL: __retry::Call = __retry::Call::new(
        "poll",
        __retry::verify(
            __retry::Rules::idempotent(EVERY_SECOND)
                .allow(__retry::Allow::NONE.no_jitter().short_attempt_timeout()),
        ),
    );
    let __downstream = &Arc::clone(&shard.downstream);
    let mut __run = __CALL.downstream(__downstream).deadline(until).begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<Result<u32, E>>();
                }
                {
                    let left = until - Instant::now();
                    let _ = &shard.downstream;
                    down(left.as_secs() as u32).await
                }
            })
            .await;
        match __retry::decide(&mut __run, __ended) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
