//! The queue in Redis: a stream of jobs, their states, and the streams of those that have ended.

use crate::ending::Ending;
use crate::job::Job;
use redis::aio::MultiplexedConnection;
use redis::streams::{
    StreamAutoClaimOptions, StreamAutoClaimReply, StreamId, StreamRangeReply, StreamReadOptions,
    StreamReadReply,
};
use redis::{AsyncCommands, AsyncConnectionConfig, Client, RedisError};
use std::time::Duration;

/// All workers are one group: each job goes to one of them.
pub(crate) const GROUP: &str = "workers";

/// The field of the stream that holds a job.
pub(crate) const JOB: &str = "job";

/// Longer than a worker waits for a job.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// A job that has left the queue.
#[derive(Clone)]
pub(crate) struct Ended {
    pub(crate) event: String,
    /// Why, or `delivered`.
    pub(crate) reason: String,
    /// What is known of it, if it was not delivered.
    pub(crate) outcome: Option<String>,
}

impl Ended {
    fn of(entry: &StreamId) -> Self {
        Self {
            event: entry.get("event").unwrap_or_default(),
            reason: entry.get("reason").unwrap_or_else(|| "delivered".to_owned()),
            outcome: entry.get("outcome"),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Queue {
    name: String,
    connection: MultiplexedConnection,
}

impl Queue {
    pub(crate) async fn open(redis: &str, name: &str) -> Result<Self, RedisError> {
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(RESPONSE_TIMEOUT));
        let client = Client::open(redis)?;
        let connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        let queue = Self { name: name.to_owned(), connection };
        let made: Result<(), _> =
            queue.connection().xgroup_create_mkstream(queue.jobs(), GROUP, "0").await;
        match made {
            Err(error) if error.code() != Some("BUSYGROUP") => Err(error),
            _ => Ok(queue),
        }
    }

    /// Clones of a connection share one socket.
    pub(crate) fn connection(&self) -> MultiplexedConnection {
        self.connection.clone()
    }

    /// Puts a job into the queue, and gives its id.
    pub(crate) async fn put(&self, job: &Job) -> Result<String, Box<dyn std::error::Error>> {
        let job = serde_json::to_string(job)?;
        Ok(self.connection().xadd(self.jobs(), "*", &[(JOB, job)]).await?)
    }

    /// A new job for this worker, if there is one before the wait is over.
    pub(crate) async fn take(
        &self,
        worker: &str,
        wait: Duration,
    ) -> Result<Option<StreamId>, RedisError> {
        let options = StreamReadOptions::default()
            .group(GROUP, worker)
            .count(1)
            .block(usize::try_from(wait.as_millis()).unwrap_or(usize::MAX));
        let reply: Option<StreamReadReply> =
            self.connection().xread_options(&[self.jobs()], &[">"], &options).await?;
        let streams = reply.map_or_else(Vec::new, |reply| reply.keys);
        Ok(streams.into_iter().flat_map(|stream| stream.ids).next())
    }

    /// A job whose worker has not renewed its lease for so long, and where to look on.
    pub(crate) async fn take_over(
        &self,
        worker: &str,
        lease: Duration,
        from: &str,
    ) -> Result<(Option<StreamId>, String), RedisError> {
        let lease = u64::try_from(lease.as_millis()).unwrap_or(u64::MAX);
        let one = StreamAutoClaimOptions::default().count(1);
        let mut connection = self.connection();
        let reply: StreamAutoClaimReply =
            connection.xautoclaim_options(self.jobs(), GROUP, worker, lease, from, one).await?;
        Ok((reply.claimed.into_iter().next(), reply.next_stream_id))
    }

    /// Why the last attempt of a job that has not ended has failed, if it has.
    pub(crate) async fn failure(&self, id: &str) -> Result<Option<String>, RedisError> {
        self.connection().hget(self.state(id), "failure").await
    }

    pub(crate) async fn ended_jobs(&self) -> Result<Vec<Ended>, RedisError> {
        let mut connection = self.connection();
        let delivered: StreamRangeReply = connection.xrange_all(self.delivered()).await?;
        let dead: StreamRangeReply = connection.xrange_all(self.dead()).await?;
        Ok(delivered.ids.iter().chain(&dead.ids).map(Ended::of).collect())
    }

    pub(crate) async fn delete(&self) -> Result<(), RedisError> {
        self.connection().del(&[self.jobs(), self.delivered(), self.dead()]).await
    }

    pub(crate) fn jobs(&self) -> String {
        format!("{}:jobs", self.name)
    }

    /// The scope of the last attempt, and why the one that ended last has failed.
    pub(crate) fn state(&self, id: &str) -> String {
        format!("{}:job:{id}", self.name)
    }

    /// Where a job goes that ends like this.
    pub(crate) fn ended(&self, ending: &Ending) -> String {
        match ending {
            Ending::Delivered { .. } => self.delivered(),
            Ending::Dead(_) => self.dead(),
        }
    }

    pub(crate) fn delivered(&self) -> String {
        format!("{}:delivered", self.name)
    }

    pub(crate) fn dead(&self) -> String {
        format!("{}:dead", self.name)
    }
}
