// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, P, down};
use retry_runtime::{Error, retry};
pub async fn read(id: u32) -> Result<u32, Error<E>> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Standalone = __retry::Standalone::new(
        "read",
        __retry::idempotent(P),
    );
    let mut __run = __CALL.begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<Result<u32, Error<E>>>();
                }
                {
                    let first = down(id).await?;
                    let second = down(first).await?;
                    Ok(first + second)
                }
            })
            .await;
        match __retry::decide(&mut __run, __ended) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
