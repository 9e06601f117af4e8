#![deny(warnings)]
use kit::*;
use std::pin::Pin;

#[retry(policy = P, idempotent)]
fn lazy(id: u32) -> impl Future<Output = Result<u32, E>> + Send {
    async move { down(id).await }
}

#[retry(policy = P, idempotent)]
fn boxed<'n>(name: &'n str) -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send + 'n>> {
    Box::pin(async move {
        let answer = down(name.len() as u32).await?;
        Ok(answer + 1)
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_send(lazy(1));
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(7)]);
    assert_eq!((lazy(1).await, boxed("ab").await), (Ok(7), Ok(8)));
    assert_eq!(calls(), [1, 1, 2, 2]);
}
