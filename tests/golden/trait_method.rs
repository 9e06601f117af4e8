// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, P, down};
use retry_runtime::retry;
#[allow(async_fn_in_trait)]
pub trait Store<K> {
    fn number(&self, key: K) -> u32;
    async fn get(&self, key: K) -> Result<u32, E>
    where
        K: Copy,
    {
        use ::retry_runtime::__private as __retry;
        static __CALL: __retry::Standalone = __retry::Standalone::new(
            "get",
            __retry::idempotent(P),
        );
        let mut __run = __CALL.begin();
        loop {
            let __ended = __run
                .attempt(async {
                    if false {
                        return __retry::attempt_type::<Result<u32, E>>();
                    }
                    {
                        let number = self.number(key);
                        down(number).await
                    }
                })
                .await;
            match __retry::decide(&mut __run, __ended) {
                __retry::Next::Return(__result) => return __result,
                __retry::Next::Retry(__pause) => __run.pause(__pause),
            }
        }
    }
}
