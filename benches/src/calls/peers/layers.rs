//! seatbelt: retry, timeout and breaker as layers.

use super::PLENTY;
use crate::calls::body::{Body, Failed};
use crate::calls::case::Case;
use crate::calls::names::SEATBELT;
use crate::calls::{ATTEMPT, ATTEMPTS, BASE};
use layered::{Execute, Service, Stack};
use seatbelt::breaker::Breaker;
use seatbelt::retry::Retry;
use seatbelt::timeout::Timeout;
use seatbelt::{RecoveryInfo, ResilienceContext};

pub(super) fn seatbelt<B: Body>() -> Case {
    let make = || {
        let context = ResilienceContext::new(tick::Clock::new_tokio());
        let layers = (
            Retry::layer("retry", &context)
                .clone_input()
                .max_retry_attempts(ATTEMPTS - 1)
                .base_delay(BASE)
                .recovery_with(|result, _| recovery(result)),
            Breaker::layer("breaker", &context)
                .min_throughput(PLENTY)
                .recovery_with(|result, _| recovery(result))
                .rejected_input(|_, _| Err(Failed)),
            Timeout::layer("timeout", &context).timeout_output(|_| Err(Failed)).timeout(ATTEMPT),
            Execute::new(B::run),
        );
        // It lends itself to its futures, and lives as long as the process.
        let service: &'static _ = Box::leak(Box::new(layers.into_service()));
        move |number| service.execute(number)
    };
    Case::new(SEATBELT, make)
}

fn recovery(result: &Result<u64, Failed>) -> RecoveryInfo {
    if result.is_ok() { RecoveryInfo::never() } else { RecoveryInfo::retry() }
}
