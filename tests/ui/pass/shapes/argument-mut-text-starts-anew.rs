#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn send(mut line: String, mut parts: Vec<u8>) -> Result<u32, E> {
    line.push('\n');
    parts.clear();
    down((line.len() + parts.len()) as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(send("ping".into(), vec![1, 2]).await, Ok(7));
    assert_eq!(calls(), [5, 5, 5]);
}
