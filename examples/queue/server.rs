//! A Redis to work with: the one that `REDIS_URL` names, or one of our own.

use redis::Client;
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const STARTS_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub(crate) enum NoRedis {
    #[error("no Redis: set REDIS_URL to the URL of one, or put `redis-server` into PATH")]
    NotFound,
    #[error("`redis-server` cannot be started: {0}")]
    NotStarted(#[from] io::Error),
    #[error("`redis-server` does not answer within {STARTS_WITHIN:?}: {0}")]
    Silent(#[source] redis::RedisError),
}

/// Stops its Redis when it is dropped, if it started one.
pub(crate) struct Server {
    url: String,
    _own: Option<Own>,
}

/// It keeps nothing on disk, and listens on a socket in a folder of its own.
struct Own {
    process: Child,
    _folder: TempDir,
}

impl Server {
    pub(crate) fn find() -> Result<Self, NoRedis> {
        if let Some(url) = std::env::var("REDIS_URL").ok().filter(|url| !url.is_empty()) {
            return Ok(Self { url, _own: None });
        }
        let folder = tempfile::tempdir()?;
        let socket = folder.path().join("redis.sock");
        let started = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no"])
            .arg("--dir")
            .arg(folder.path())
            .arg("--unixsocket")
            .arg(&socket)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        let process = match started {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(NoRedis::NotFound),
            started => started?,
        };
        let own = Own { process, _folder: folder };
        let url = format!("redis+unix://{}", socket.display());
        wait_for(&url)?;
        Ok(Self { url, _own: Some(own) })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

fn wait_for(url: &str) -> Result<(), NoRedis> {
    let began = Instant::now();
    loop {
        match Client::open(url).and_then(|client| client.get_connection()) {
            Ok(_) => return Ok(()),
            Err(error) if began.elapsed() > STARTS_WITHIN => return Err(NoRedis::Silent(error)),
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // It keeps nothing, so that there is nothing to lose; and if it is gone, all the better.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
