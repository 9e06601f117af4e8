// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, P, down};
use retry_runtime::retry;
async fn send(text: String) -> Result<u32, E> {
    down(text.len() as u32).await
}
pub async fn patterns(
    n: u32,
    (a, b): (u32, u32),
    _: u8,
    text: String,
) -> Result<u32, E> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Standalone = __retry::Standalone::new(
        "patterns",
        __retry::idempotent(P),
    );
    let mut __run = __CALL.begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<Result<u32, E>>();
                }
                let mut n = __retry::fresh(&n);
                let mut b = __retry::fresh(&b);
                let text = __retry::fresh(&text);
                {
                    n += 1;
                    b += a;
                    Ok(n + b + send(text).await?)
                }
            })
            .await;
        match __retry::decide(&mut __run, __ended) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
