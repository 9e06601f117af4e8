#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};
use std::io;
use std::time::Duration;

struct Redis {
    prefix: &'static str,
}

impl Redis {
    async fn command(&self, parts: &[&str]) -> io::Result<Option<u32>> {
        let length = self.prefix.len() + parts.concat().len();
        down(length as u32).await.map(Some).map_err(|E(_)| io::ErrorKind::ConnectionReset.into())
    }

    #[retry(policy = P, idempotent)]
    async fn get(&self, key: &str) -> io::Result<Option<u32>> {
        self.command(&["GET", key]).await
    }

    #[retry(policy = P, idempotent)]
    async fn set(&self, key: &str, value: &str, expiry: Duration) -> Result<(), Error<io::Error>> {
        let seconds = expiry.as_secs().to_string();
        self.command(&["SET", key, value, "EX", &seconds]).await.map(drop)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let redis = Redis { prefix: "app:" };
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(0)]);
    assert_eq!(redis.get("a").await.unwrap(), Some(7));
    redis.set("a", "8", Duration::from_secs(60)).await.unwrap();
    assert_eq!(calls(), [8, 8, 13, 13]);
}
