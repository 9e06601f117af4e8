// What the attribute writes for the input of the same name. Kept by the tests of
// retry-macros; compiled and run by the golden test of this package.

use kit::bank::{Bank, Order, PayError, Receipt};
use retry_runtime::{Error, IdempotencyKey, Policy, Reconciled, retry};
use std::time::Duration;
const CHECKOUT: Policy = Policy::exponential(
        Duration::from_millis(50),
        Duration::from_secs(1),
    )
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));
pub async fn charge(bank: &Bank, order: &Order) -> Result<Receipt, Error<PayError>> {
    use ::retry_runtime::__private as __retry;
    static __CALL: __retry::Standalone = __retry::Standalone::new(
        "charge",
        __retry::keyed(CHECKOUT),
    );
    let __key = __retry::key(&order.key);
    let mut __run = __CALL.idempotency_key(&__key).reconciled().begin();
    loop {
        let __ended = __run
            .attempt(async {
                if false {
                    return __retry::attempt_type::<Result<Receipt, Error<PayError>>>();
                }
                {
                    let reply = bank.post("/charges", &order.key, order.cents).await?;
                    reply.receipt().ok_or(PayError::Refused)
                }
            })
            .await;
        let __question = async {
            __retry::answer::<
                Result<Receipt, Error<PayError>>,
            >((|key| find(bank, key))(&__key).await)
        };
        match __retry::decide_after(&mut __run, __ended, __question).await {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}
async fn find(
    bank: &Bank,
    key: &IdempotencyKey,
) -> Result<Reconciled<Receipt>, PayError> {
    let reply = bank.post("/find", key.as_str(), 0).await?;
    Ok(reply.receipt().map_or(Reconciled::NotApplied, Reconciled::Applied))
}
