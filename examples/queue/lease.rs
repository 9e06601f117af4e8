//! The right of one worker to one job, for as long as it renews it.

use crate::ending::Ending;
use crate::queue::{GROUP, Queue};
use redis::{RedisError, Script};
use retry_runtime::Scope;
use std::error::Error;
use std::sync::LazyLock;
use std::time::Duration;

static HELD: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("held.lua")));

pub(crate) struct Lease {
    pub(crate) queue: Queue,
    pub(crate) worker: String,
    /// Of the job in its stream.
    pub(crate) id: String,
    /// What is not renewed for so long is taken over.
    pub(crate) duration: Duration,
}

/// The worker may not write.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LeaseError {
    #[error("another worker has taken the job over")]
    Lost,
    #[error(transparent)]
    Redis(#[from] RedisError),
    #[error(transparent)]
    Scope(#[from] serde_json::Error),
}

impl Lease {
    /// Stores the scope of an attempt, for the worker that has to go on from there.
    pub(crate) async fn store(&self, scope: &Scope) -> Result<(), LeaseError> {
        self.act("store", &["scope", &serde_json::to_string(scope)?]).await
    }

    /// Notes why the last attempt failed, for people who ask what a job waits for.
    pub(crate) async fn note(&self, error: &dyn Error) {
        let attempt = Scope::current().map_or(0, |scope| scope.request_attempt());
        // Whatever comes of it, the attempt failed for the reason that it has.
        let _ = self.act("store", &["failure", &format!("attempt {attempt}: {error}")]).await;
    }

    /// Renews the lease until it is lost.
    pub(crate) async fn keep(&self) -> LeaseError {
        loop {
            tokio::time::sleep(self.duration / 3).await;
            if let Err(lost) = self.act("renew", &[]).await {
                return lost;
            }
        }
    }

    /// Takes the job out of the queue. `scope` is the one that it came with.
    pub(crate) async fn end(&self, scope: &str, ending: &Ending) -> Result<(), LeaseError> {
        let mut fields = vec![scope];
        fields.extend(ending.fields());
        self.act_on(&self.queue.ended(ending), "end", &fields).await
    }

    async fn act(&self, act: &str, fields: &[&str]) -> Result<(), LeaseError> {
        self.act_on("", act, fields).await
    }

    async fn act_on(&self, ended: &str, act: &str, fields: &[&str]) -> Result<(), LeaseError> {
        let mut call = HELD.key(self.queue.jobs());
        call.key(self.queue.state(&self.id)).key(ended);
        call.arg(GROUP).arg(&self.worker).arg(&self.id).arg(act).arg(fields);
        let held: bool = call.invoke_async(&mut self.queue.connection()).await?;
        if held { Ok(()) } else { Err(LeaseError::Lost) }
    }
}
