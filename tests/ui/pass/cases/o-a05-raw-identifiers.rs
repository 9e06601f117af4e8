#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
pub async fn r#match(r#async: u32, mut r#type: &str) -> Result<u32, E> {
    let length = r#type.len() as u32;
    r#type = "";
    down(r#async + length + r#type.len() as u32).await
}

#[retry(policy = P, idempotent, clone(r#loop))]
pub async fn r#impl(r#loop: String) -> Result<u32, E> {
    down(r#loop.into_bytes().len() as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(r#match(1, "ab").await, Ok(7));
    assert_eq!(calls(), [3, 3]);
    script([Err(E(1)), Ok(7)]);
    assert_eq!(r#impl("abc".into()).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}
