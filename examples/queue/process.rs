//! A worker in a process of its own, so that it can be killed.

use std::env;
use std::io;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Killed when it is dropped.
pub(crate) struct WorkerProcess(Child);

impl WorkerProcess {
    pub(crate) fn start(redis: &str, queue: &str, lease: Duration) -> io::Result<Self> {
        let process = Command::new(env::current_exe()?)
            .args(["worker", "--queue", queue])
            .args(["--lease", &lease.as_secs_f64().to_string()])
            .env("REDIS_URL", redis)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        Ok(Self(process))
    }

    /// Without notice, by SIGKILL.
    pub(crate) fn kill(mut self) -> io::Result<()> {
        self.0.kill()?;
        self.0.wait().map(drop)
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        // It fails only if the process has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
