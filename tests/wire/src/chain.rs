//! Starts a chain of services, sends requests to its edge, and collects what all of them log.

use crate::log::Line;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Edge, middle and leaf, which calls nobody: its storage fails, or hangs.
pub struct Chain {
    /// Where the edge listens.
    pub edge: String,
    log: Arc<Mutex<Vec<Line>>>,
    /// Killed when they are dropped.
    _services: Vec<Child>,
}

impl Chain {
    /// Starts `service`, a program, three times; `options` go to all of them.
    pub async fn start(service: &str, options: &[&str]) -> Self {
        let log = Arc::default();
        let mut services = Vec::new();
        let mut next: Option<String> = None;
        for name in ["leaf", "middle", "edge"] {
            let mut command = Command::new(service);
            command.args(["--name", name]).args(options);
            if let Some(next) = &next {
                command.args(["--next", next]);
            }
            let mut child = command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .kill_on_drop(true)
                .spawn()
                .unwrap();
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            next =
                Some(lines.next_line().await.unwrap().expect("the service says where it listens"));
            tokio::spawn(collect(lines, Arc::clone(&log)));
            services.push(child);
        }
        Self { edge: next.unwrap(), log, _services: services }
    }

    /// What the services have logged since this was asked last.
    #[must_use]
    pub fn take_log(&self) -> Vec<Line> {
        std::mem::take(&mut self.log.lock().unwrap())
    }
}

async fn collect(mut lines: Lines<BufReader<ChildStdout>>, log: Arc<Mutex<Vec<Line>>>) {
    while let Ok(Some(line)) = lines.next_line().await {
        log.lock().unwrap().push(line.parse().unwrap());
    }
}
