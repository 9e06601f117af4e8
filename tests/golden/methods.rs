// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::{E, P, down};
use retry_runtime::retry;
use std::sync::Arc;
pub struct Conn {
    pub id: u32,
    pub hits: u32,
    pub name: String,
}
impl Conn {
    pub async fn name(&self) -> Result<&str, E> {
        use ::retry_runtime::__private as __retry;
        static __CALL: __retry::Standalone = __retry::Standalone::new(
            "name",
            __retry::idempotent(P),
        );
        let mut __run = __CALL.begin();
        loop {
            let __ended = __run
                .attempt(async {
                    if false {
                        return __retry::attempt_type::<Result<&str, E>>();
                    }
                    {
                        down(self.id).await?;
                        Ok(&self.name)
                    }
                })
                .await;
            match __retry::decide(&mut __run, __ended) {
                __retry::Next::Return(__result) => return __result,
                __retry::Next::Retry(__pause) => __run.pause(__pause),
            }
        }
    }
    pub async fn hit(&mut self) -> Result<u32, E> {
        use ::retry_runtime::__private as __retry;
        static __CALL: __retry::Standalone = __retry::Standalone::new(
            "hit",
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
                        self.hits += 1;
                        down(self.hits).await
                    }
                })
                .await;
            match __retry::decide(&mut __run, __ended) {
                __retry::Next::Return(__result) => return __result,
                __retry::Next::Retry(__pause) => __run.pause(__pause),
            }
        }
    }
    pub async fn shared(self: Arc<Self>) -> Result<u32, E> {
        use ::retry_runtime::__private as __retry;
        static __CALL: __retry::Standalone = __retry::Standalone::new(
            "shared",
            __retry::idempotent(P),
        );
        let mut __run = __CALL.begin();
        loop {
            let __ended = __run
                .attempt(async {
                    if false {
                        return __retry::attempt_type::<Result<u32, E>>();
                    }
                    { down(self.id).await }
                })
                .await;
            match __retry::decide(&mut __run, __ended) {
                __retry::Next::Return(__result) => return __result,
                __retry::Next::Retry(__pause) => __run.pause(__pause),
            }
        }
    }
}
