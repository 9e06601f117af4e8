#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent, clone(ids))]
async fn total(
    ids: impl IntoIterator<Item = u32> + Clone,
    name: impl AsRef<str>,
) -> Result<u32, E> {
    let ids: u32 = ids.into_iter().sum();
    down(ids + name.as_ref().len() as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(total([10, 20], "abc").await, Ok(7));
    assert_eq!(calls(), [33, 33]);
}
