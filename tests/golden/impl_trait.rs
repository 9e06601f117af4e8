// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, P, down};
use retry_runtime::retry;
pub async fn numbers(
    from: impl Into<u32> + Copy,
) -> Result<impl Iterator<Item = u32>, E> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Standalone = __retry::Standalone::new(
        "numbers",
        __retry::idempotent(P),
    );
    let mut __run = __CALL.begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<Result<_, E>>();
                }
                {
                    let from = from.into();
                    let count = down(from).await?;
                    Ok((0..count).map(move |n| n + from))
                }
            })
            .await;
        match __retry::decide(&mut __run, __ended) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
