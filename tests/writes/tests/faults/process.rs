//! The bank's process, which is killed and started again.

use crate::proxy::Upstream;
use retry_writes_tests::service::Keys;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

pub struct Bank {
    file: PathBuf,
    keys: Keys,
    child: Child,
    address: watch::Sender<Option<SocketAddr>>,
}

impl Bank {
    pub async fn start(file: &Path, keys: Keys) -> Self {
        let (child, address) = spawn(file, keys).await;
        Self { file: file.to_owned(), keys, child, address: watch::Sender::new(Some(address)) }
    }

    pub fn address(&self) -> Upstream {
        self.address.subscribe()
    }

    /// Kills the process in the middle of whatever it does, and starts another on the same file.
    pub async fn kill_and_restart(&mut self) {
        self.kill().await;
        let (child, address) = spawn(&self.file, self.keys).await;
        self.child = child;
        self.address.send_replace(Some(address));
    }

    /// By SIGKILL; returns when the process is gone.
    pub async fn kill(&mut self) {
        self.address.send_replace(None);
        self.child.kill().await.unwrap();
    }
}

async fn spawn(file: &Path, keys: Keys) -> (Child, SocketAddr) {
    let keys = match keys {
        Keys::Honoured => "honoured",
        Keys::Ignored => "ignored",
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_bank"))
        .arg(file)
        .arg(keys)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("the bank says where it listens");
    (child, line.parse().unwrap())
}
