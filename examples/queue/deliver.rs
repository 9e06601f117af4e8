//! The annotated functions: deliver a job, as often as it may be delivered.

use crate::job::Job;
use crate::lease::{Lease, LeaseError};
use reqwest::Client;
use retry_runtime::wire::{HttpError, RequestExt, ResponseExt};
use retry_runtime::{Classify, Error, Policy, Scope, retry};
use std::time::Duration;

/// Each job says in its scope by when it has to be done, and in how many attempts. This is the most
/// that it can ask for.
const DELIVERY: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .max_attempts(MOST_ATTEMPTS)
    .attempt_timeout(Duration::from_secs(2))
    .deadline(LONGEST_LIFE);

const SINGLE: Policy =
    Policy::once().attempt_timeout(Duration::from_secs(2)).deadline(LONGEST_LIFE);

pub(crate) const MOST_ATTEMPTS: u32 = 20;
pub(crate) const LONGEST_LIFE: Duration = Duration::from_secs(3600);

#[derive(Debug, thiserror::Error, Classify)]
pub(crate) enum DeliveryError {
    #[error("{0}")]
    #[classify(inherit)]
    Http(#[from] HttpError),

    /// Nothing is sent that was not counted before.
    #[error("the attempt could not be counted: {0}")]
    #[classify(permanent, not_sent)]
    NotCounted(#[from] LeaseError),
}

/// Delivers to a subscriber who knows the event.
#[retry(policy = DELIVERY, idempotency_key = job.event)]
async fn deliver_keyed(
    http: &Client,
    lease: &Lease,
    job: &Job,
) -> Result<(), Error<DeliveryError>> {
    attempt(http, lease, job).await
}

/// Delivers to one who does not: at most once, whatever happens to this worker.
#[retry(policy = SINGLE, once)]
async fn deliver_once(http: &Client, lease: &Lease, job: &Job) -> Result<(), Error<DeliveryError>> {
    attempt(http, lease, job).await
}

/// The first thing that an attempt does is to store its scope. If this worker is killed after that,
/// the attempt was counted all the same; if it is killed before, the attempt was none.
async fn attempt(http: &Client, lease: &Lease, job: &Job) -> Result<(), DeliveryError> {
    if let Some(scope) = Scope::current() {
        lease.store(&scope).await?;
    }
    let sent = post(http, job).await;
    if let Err(error) = &sent {
        lease.note(error).await;
    }
    Ok(sent?)
}

/// Root id, attempt, time left and key go along in headers.
async fn post(http: &Client, job: &Job) -> Result<(), HttpError> {
    let request = http.post(&job.url).body(job.text.clone());
    request.send_in_scope().await?.checked().await?;
    Ok(())
}

pub(crate) async fn deliver(
    http: &Client,
    lease: &Lease,
    job: &Job,
) -> Result<(), Error<DeliveryError>> {
    if job.once {
        deliver_once(http, lease, job).await
    } else {
        deliver_keyed(http, lease, job).await
    }
}
