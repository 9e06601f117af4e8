//! The demonstration: producer, subscribers, workers that are killed, and workers that are not.

use crate::case::{CASES, Case, Kill};
use crate::job::Job;
use crate::process::WorkerProcess;
use crate::queue::Queue;
use crate::report::{self, Report, Row};
use crate::say;
use crate::server::Server;
use crate::subscriber::Subscriber;
use std::error::Error;
use std::process;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const LEASE: Duration = Duration::from_millis(500);
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn show() -> Result<bool, Box<dyn Error>> {
    let redis = Server::find()?;
    let subscriber = Subscriber::start().await?;
    let name = format!("retry-example-{}", process::id());
    let queue = Queue::open(redis.url(), &name).await?;
    say(report::OPENING)?;
    let shown = Demo { redis, subscriber, queue, name }.run().await?;
    say(&shown)?;
    Ok(shown.keeps_its_promises())
}

struct Demo {
    redis: Server,
    subscriber: Subscriber,
    queue: Queue,
    name: String,
}

impl Demo {
    async fn run(&self) -> Result<Report, Box<dyn Error>> {
        let began = Instant::now();
        for case in &CASES {
            let id = self.queue.put(&Job::of(case.order(&self.subscriber))).await?;
            if let Some(kill) = case.kill {
                let worker = self.worker()?;
                self.until(async || self.is_time_to(kill, case, &id).await).await?;
                worker.kill()?;
            }
        }
        let workers = [self.worker()?, self.worker()?];
        self.until(async || Ok(self.queue.ended_jobs().await?.len() == CASES.len())).await?;
        drop(workers);
        let ends = self.queue.ended_jobs().await?;
        self.queue.delete().await?;
        let row = |case| Row::of(case, self.subscriber.attempts(case.event), &ends);
        Ok(Report { rows: CASES.iter().map(row).collect(), took: began.elapsed() })
    }

    fn worker(&self) -> Result<WorkerProcess, std::io::Error> {
        WorkerProcess::start(self.redis.url(), &self.name, LEASE)
    }

    async fn is_time_to(&self, kill: Kill, case: &Case, id: &str) -> Result<bool, Box<dyn Error>> {
        Ok(match kill {
            Kill::InAttempt => !self.subscriber.attempts(case.event).is_empty(),
            Kill::InWait => self.queue.failure(id).await?.is_some(),
        })
    }

    async fn until(
        &self,
        is_so: impl AsyncFn() -> Result<bool, Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let began = Instant::now();
        while !is_so().await? {
            if began.elapsed() > PATIENCE {
                return Err(format!("nothing happens for {PATIENCE:?}").into());
            }
            sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}
