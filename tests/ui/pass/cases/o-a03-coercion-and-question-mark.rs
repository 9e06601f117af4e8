#![deny(warnings)]
use kit::*;
use retry_runtime::Class;

pub type Plan = Box<dyn Fn(u32) -> u32 + Send>;
pub type AnyError = Box<dyn std::error::Error + Send + Sync>;

#[retry(policy = P, idempotent, classify = |_: &AnyError| Class::TRANSIENT)]
pub async fn plan(src: &str) -> Result<Plan, AnyError> {
    if src.is_empty() {
        return Err("empty".into());
    }
    let k: u32 = src.parse()?;
    let base = down(k).await?;
    Ok(Box::new(move |x| x + base))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(1)]);
    assert_eq!(plan("41").await.unwrap()(1), 2);
    assert_eq!(calls(), [41, 41]);
    script([]);
    assert!(plan("x").await.is_err());
    assert!(calls().is_empty());
}
