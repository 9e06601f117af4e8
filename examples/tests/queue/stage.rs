//! Redis, a subscriber, and processes of the example `queue`.

use crate::server::{NoRedis, Server};
use crate::subscriber::{Plan, Subscriber};
use redis::aio::MultiplexedConnection;
use redis::streams::{StreamId, StreamRangeReply};
use redis::{AsyncCommands, Client, Commands, cmd};
use serde::Deserialize;
use std::cell::Cell;
use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// In seconds: what a dead worker held is taken over after so long.
pub(crate) const LEASE: &str = "0.25";

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(15);

/// A scope as the queue holds it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Scope {
    pub(crate) root: String,
    pub(crate) deadline: String,
    pub(crate) attempts: u32,
    pub(crate) max_attempts: u32,
}

/// A job that waits: its id, and the scope that it was put into the queue with.
pub(crate) struct Waiting {
    pub(crate) id: String,
    pub(crate) event: String,
    pub(crate) scope: Scope,
}

/// A job that has left the queue.
#[derive(Debug, PartialEq)]
pub(crate) struct Ended {
    /// None if it was delivered.
    pub(crate) reason: Option<String>,
    pub(crate) outcome: Option<String>,
    pub(crate) scope: Scope,
}

/// Who holds a job.
pub(crate) struct Held {
    pub(crate) worker: String,
    idle: u64,
    pub(crate) deliveries: u32,
}

pub(crate) struct Stage {
    redis: Server,
    connection: MultiplexedConnection,
    queue: String,
    url: String,
    pub(crate) subscriber: Subscriber,
}

impl Stage {
    /// None without a Redis, and then it says what is left out.
    pub(crate) async fn set(plan: Plan) -> Option<Self> {
        static STAGES: AtomicU32 = AtomicU32::new(0);
        let redis = match Server::find() {
            Err(missing @ NoRedis::NotFound) => {
                // Not `println!`, which the test harness swallows.
                let test = thread::current().name().unwrap_or_default().to_owned();
                writeln!(io::stderr(), "left out: {test}: {missing}")
                    .expect("standard error can be written to");
                return None;
            }
            found => found.unwrap(),
        };
        let client = Client::open(redis.url()).unwrap();
        let connection = client.get_multiplexed_async_connection().await.unwrap();
        let number = STAGES.fetch_add(1, Ordering::Relaxed);
        let queue = format!("retry-test-{}-{number}", std::process::id());
        let (subscriber, url) = Subscriber::start(plan).await;
        Some(Self { redis, connection, queue, url, subscriber })
    }

    pub(crate) fn connection(&self) -> MultiplexedConnection {
        self.connection.clone()
    }

    /// Has the producer put a job into the queue.
    pub(crate) async fn put(&self, event: &str, options: &[&str]) -> Waiting {
        let url = format!("{}/{event}", self.url);
        let output = example()
            .args(["producer", "--queue", &self.queue, "--url", &url, "--event", event])
            .args(options)
            .env("REDIS_URL", self.redis.url())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let id = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        let entries: StreamRangeReply =
            self.connection().xrange(self.key("jobs"), &id, &id).await.unwrap();
        let job: serde_json::Value =
            serde_json::from_str(&entries.ids[0].get::<String>("job").unwrap()).unwrap();
        let scope = serde_json::from_value(job["scope"].clone()).unwrap();
        Waiting { id, event: event.to_owned(), scope }
    }

    /// Puts something else into the queue.
    pub(crate) async fn put_nonsense(&self) {
        let put: String =
            self.connection().xadd(self.key("jobs"), "*", &[("job", "nonsense")]).await.unwrap();
        assert!(!put.is_empty());
    }

    pub(crate) fn worker(&self, name: &str) -> Worker {
        let process = example()
            .args(["worker", "--queue", &self.queue, "--name", name, "--lease", LEASE])
            .env("REDIS_URL", self.redis.url())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Worker(process)
    }

    /// Waits until this attempt at the job has come in, and no other after it.
    pub(crate) async fn attempted(&self, job: &Waiting, attempt: u32) {
        let event = &job.event;
        self.until("the attempt", async || {
            self.subscriber.attempts(event).contains(&attempt).then_some(())
        })
        .await;
        assert!(self.subscriber.attempts(event).into_iter().eq(1..=attempt));
    }

    /// Waits until this attempt at the job has failed, and its worker is in the wait after it: it
    /// renews its lease, and does nothing else.
    pub(crate) async fn waits_after(&self, job: &Waiting, attempt: u32) {
        let failed = format!("attempt {attempt}: ");
        self.until("the failure", async || {
            let failure: Option<String> =
                self.connection().hget(self.state(job), "failure").await.unwrap();
            failure.filter(|failure| failure.starts_with(&failed))
        })
        .await;
        let last = Cell::new(0);
        self.until("a renewal", async || {
            let idle = self.holder(job).await?.idle;
            (idle < last.replace(idle)).then_some(())
        })
        .await;
    }

    pub(crate) async fn holder(&self, job: &Waiting) -> Option<Held> {
        let mut pending = cmd("XPENDING");
        pending.arg(self.key("jobs")).arg("workers").arg(&job.id).arg(&job.id).arg(1);
        let held: Vec<(String, String, u64, u32)> =
            pending.query_async(&mut self.connection()).await.unwrap();
        let (_, worker, idle, deliveries) = held.into_iter().next()?;
        Some(Held { worker, idle, deliveries })
    }

    pub(crate) async fn ended(&self, job: &Waiting) -> Ended {
        self.until("the end of the job", async || {
            let mut connection = self.connection();
            for stream in ["delivered", "dead"] {
                let ended: StreamRangeReply =
                    connection.xrange_all(self.key(stream)).await.unwrap();
                let of_job =
                    |entry: &&StreamId| entry.get::<String>("job").as_ref() == Some(&job.id);
                if let Some(entry) = ended.ids.iter().find(of_job) {
                    let scope = entry.get::<String>("scope").unwrap();
                    let scope = serde_json::from_str(&scope).unwrap();
                    let (reason, outcome) = (entry.get("reason"), entry.get("outcome"));
                    return Some(Ended { reason, outcome, scope });
                }
            }
            None
        })
        .await
    }

    pub(crate) async fn dead_reasons(&self) -> Vec<String> {
        let dead: StreamRangeReply = self.connection().xrange_all(self.key("dead")).await.unwrap();
        dead.ids.iter().map(|entry| entry.get("reason").unwrap()).collect()
    }

    /// Waits until the clock of Redis shows this date.
    pub(crate) async fn date(&self, date: SystemTime) {
        self.until("that date", async || {
            let time: (u64, u64) = cmd("TIME").query_async(&mut self.connection()).await.unwrap();
            let now = Duration::from_secs(time.0) + Duration::from_micros(time.1);
            (SystemTime::UNIX_EPOCH + now >= date).then_some(())
        })
        .await;
    }

    pub(crate) async fn until<T>(&self, what: &str, find: impl AsyncFn() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = find().await {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "{what} does not come within {PATIENCE:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(crate) fn key(&self, name: &str) -> String {
        format!("{}:{name}", self.queue)
    }

    fn state(&self, job: &Waiting) -> String {
        self.key(&format!("job:{}", job.id))
    }
}

/// A Redis that others use, too, is left as it was.
impl Drop for Stage {
    fn drop(&mut self) {
        let left = Client::open(self.redis.url()).and_then(|client| {
            let mut connection = client.get_connection()?;
            let keys: Vec<String> = connection.keys(self.key("*"))?;
            if keys.is_empty() { Ok(()) } else { connection.del(keys) }
        });
        if let Err(error) = left {
            eprintln!("keys are left in Redis: {error}");
        }
    }
}

/// A process of the example, which `cargo test` builds beside the tests.
pub(crate) fn example() -> Command {
    let test = env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap().join("examples");
    let path: PathBuf = folder.join("queue").with_extension(env::consts::EXE_EXTENSION);
    assert!(path.exists(), "build it first: cargo build -p retry-examples --example queue");
    let mut command = Command::new(path);
    command.stdin(Stdio::null());
    command
}

/// Killed when it is dropped.
pub(crate) struct Worker(Child);

impl Worker {
    /// By SIGKILL.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").arg(signal).arg(self.0.id().to_string()).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It fails only if the process has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
