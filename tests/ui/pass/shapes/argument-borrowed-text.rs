#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn lookup(name: &str, domain: &'static str) -> Result<u32, E> {
    down((name.len() + domain.len()) as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let name = String::from("db");
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(lookup(&name, "local").await, Ok(7));
    assert_eq!(calls(), [7, 7, 7]);
}
