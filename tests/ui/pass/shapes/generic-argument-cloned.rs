#![deny(warnings)]
use kit::*;

async fn consume<T: Into<Vec<u8>>>(body: T) -> Result<u32, E> {
    down(body.into().len() as u32).await
}

#[retry(policy = P, idempotent, clone(body))]
async fn put<T: Into<Vec<u8>> + Clone>(body: T) -> Result<u32, E> {
    consume(body).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!(put("abc").await, Ok(7));
    assert_eq!(put(vec![1, 2]).await, Ok(8));
    assert_eq!(calls(), [3, 3, 2, 2]);
}
