// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::bank::{Bank, Order, PayError, Receipt};
use retry_runtime::{Downstream, Policy, retry};
use std::time::Duration;
pub const CHECKOUT: Policy = Policy::exponential(
        Duration::from_millis(50),
        Duration::from_secs(1),
    )
    .max_attempts(3)
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));
pub static PAYMENTS: Downstream = Downstream::new("payments");
pub async fn charge(
    bank: &Bank,
    order: &Order,
) -> Result<Receipt, retry_runtime::Error<PayError>> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Call = __retry::Call::new(
        "charge",
        __retry::keyed(CHECKOUT),
    );
    let __key = __retry::key(&order.key);
    let mut __run = __CALL.downstream(&PAYMENTS).idempotency_key(&__key).begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<
                        Result<Receipt, retry_runtime::Error<PayError>>,
                    >();
                }
                {
                    let reply = bank.post("/charges", &order.key, order.cents).await?;
                    let receipt = reply.receipt().ok_or(PayError::Refused)?;
                    Ok(receipt)
                }
            })
            .await;
        match __retry::decide(&mut __run, __ended) {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
