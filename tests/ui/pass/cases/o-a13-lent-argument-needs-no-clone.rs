#![deny(warnings)]
use kit::*;

pub struct Blob(pub Vec<u8>); // deliberately not Clone

#[retry(policy = P, idempotent)]
pub async fn lend(blob: Blob, url: String) -> Result<u32, E> {
    down((blob.0.len() + url.len()) as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(0)]);
    assert_eq!(lend(Blob(vec![0; 3]), "ab".into()).await, Ok(0));
    assert_eq!(calls(), [5, 5, 5]);
}
