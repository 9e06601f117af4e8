// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, P, down};
use retry_runtime::{Class, retry};
use std::error::Error;
type BoxError = Box<dyn Error + Send + Sync>;
fn class(error: &BoxError) -> Class {
    if error.is::<E>() { Class::TRANSIENT } else { Class::PERMANENT }
}
pub async fn parsed(text: &str) -> Result<Box<dyn Fn(u32) -> u32 + Send>, BoxError> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Standalone = __retry::Standalone::new(
        "parsed",
        __retry::idempotent(P),
    );
    let mut __run = __CALL.begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<
                        Result<Box<dyn Fn(u32) -> u32 + Send>, BoxError>,
                    >();
                }
                {
                    let number: u32 = text.parse()?;
                    let base = down(number).await?;
                    Ok(Box::new(move |x| x + base))
                }
            })
            .await;
        match __retry::decide_by::<
            Result<Box<dyn Fn(u32) -> u32 + Send>, BoxError>,
        >(&mut __run, __ended, class) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
