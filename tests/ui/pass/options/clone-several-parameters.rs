#![deny(warnings)]
use kit::*;

async fn ship(head: String, parts: Vec<u8>) -> Result<u32, E> {
    down((head.len() + parts.len()) as u32).await
}

#[retry(policy = P, idempotent, clone(head, parts))]
async fn send(head: String, (mut parts, end): (Vec<u8>, u8)) -> Result<u32, E> {
    parts.push(end);
    ship(head, parts).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(send("head".into(), (vec![1, 2], 3)).await, Ok(7));
    assert_eq!(calls(), [7, 7, 7]);
}
