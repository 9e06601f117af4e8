//! A worker: takes a job, delivers it, ends it, and takes the next. It runs until it is killed.

use crate::deliver::deliver;
use crate::ending::Ending;
use crate::job::Job;
use crate::lease::{Lease, LeaseError};
use crate::queue::{JOB, Queue};
use crate::say;
use redis::streams::StreamId;
use redis::{AsyncCommands, RedisError};
use reqwest::Client;
use retry_runtime::InScope;
use std::convert::Infallible;
use std::time::Duration;

/// Between two looks for jobs of dead workers; a lease that is short makes it shorter.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

pub(crate) struct Worker {
    name: String,
    queue: Queue,
    http: Client,
    lease: Duration,
    /// Where it looks next for a job of a dead worker.
    looked_at: String,
}

impl Worker {
    pub(crate) fn new(name: String, queue: Queue, lease: Duration) -> Self {
        Self { name, queue, http: Client::new(), lease, looked_at: "0-0".to_owned() }
    }

    /// A worker that loses Redis ends, and what it held is taken over.
    pub(crate) async fn run(mut self) -> Result<Infallible, LeaseError> {
        loop {
            if let Some(entry) = self.next().await? {
                match self.work(entry).await {
                    Ok(()) | Err(LeaseError::Lost) => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Jobs of dead workers first: they have waited longer.
    async fn next(&mut self) -> Result<Option<StreamId>, RedisError> {
        let (orphan, looked_at) =
            self.queue.take_over(&self.name, self.lease, &self.looked_at).await?;
        self.looked_at = looked_at;
        match orphan {
            Some(orphan) => Ok(Some(orphan)),
            None => self.queue.take(&self.name, (self.lease / 4).min(LONGEST_WAIT)).await,
        }
    }

    async fn work(&self, entry: StreamId) -> Result<(), LeaseError> {
        let lease = self.lease(entry.id.clone());
        let job = match self.job(&entry).await? {
            Ok(job) => job,
            Err(error) => return lease.end("", &Ending::no_job(&error)).await,
        };
        let came_with = serde_json::to_string(&job.scope)?;
        let ended = tokio::select! {
            ended = deliver(&self.http, &lease, &job).with_scope(job.scope.clone()) => ended,
            lost = lease.keep() => return Err(lost),
        };
        let Some(ending) = Ending::of(&job.event, ended) else { return Ok(()) };
        lease.end(&came_with, &ending).await?;
        // It works on where nobody listens.
        let _ = say(ending);
        Ok(())
    }

    /// The job, with the scope of its last attempt in place of the one that it began with.
    async fn job(&self, entry: &StreamId) -> Result<Result<Job, serde_json::Error>, RedisError> {
        let state = self.queue.state(&entry.id);
        let scope: Option<String> = self.queue.connection().hget(state, "scope").await?;
        let job = entry.get::<String>(JOB).unwrap_or_default();
        Ok(read(&job, scope.as_deref()))
    }

    fn lease(&self, id: String) -> Lease {
        let (queue, worker) = (self.queue.clone(), self.name.clone());
        Lease { queue, worker, id, duration: self.lease }
    }
}

fn read(job: &str, scope: Option<&str>) -> Result<Job, serde_json::Error> {
    let mut job: Job = serde_json::from_str(job)?;
    if let Some(scope) = scope {
        job.scope = serde_json::from_str(scope)?;
    }
    Ok(job)
}
