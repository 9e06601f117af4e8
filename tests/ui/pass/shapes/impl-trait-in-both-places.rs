#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn labels(
    name: impl Into<String> + Clone,
) -> Result<(impl Fn() -> String, Option<impl Sized>), E> {
    let answer = down(1).await?;
    let name = name.clone().into();
    Ok((move || format!("{name}-{answer}"), Some(answer)))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    let (label, extra) = labels("row").await.unwrap();
    assert_eq!(label(), "row-7");
    assert!(extra.is_some());
    assert_eq!(calls(), [1, 1]);
}
