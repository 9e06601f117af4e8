// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, down};
use retry_runtime::{Error, Policy, retry};
use std::time::Duration;
const ONCE: Policy = Policy::once().deadline(Duration::from_secs(1));
pub async fn send(sms: u32) -> Result<(), Error<E>> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Standalone = __retry::Standalone::new(
        "send",
        __retry::once(ONCE),
    );
    let mut __run = __CALL.begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<Result<(), Error<E>>>();
                }
                {
                    down(sms).await?;
                    Ok(())
                }
            })
            .await;
        match __retry::decide(&mut __run, __ended) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
