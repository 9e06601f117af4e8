#![deny(warnings)]
use kit::*;

async fn ship_url(u: String) -> Result<u32, E> {
    down(u.len() as u32).await
}

#[retry(policy = P, idempotent, clone(url))]
pub async fn by_clone(url: String) -> Result<u32, E> {
    ship_url(url).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(0)]);
    assert_eq!(by_clone("abcd".into()).await, Ok(0));
    assert_eq!(calls(), [4, 4, 4]);
}
