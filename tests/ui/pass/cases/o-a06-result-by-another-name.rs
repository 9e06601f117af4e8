#![deny(warnings)]
use kit::*;

pub mod svc {
    use super::*;
    pub type Result<T> = std::result::Result<T, E>;
    pub type Reply = Result<u32>;
    #[retry(policy = P, idempotent)]
    pub async fn a() -> Result<u32> {
        down(1).await
    }
    #[retry(policy = P, idempotent)]
    pub async fn b() -> Reply {
        down(2).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!(svc::a().await, Ok(7));
    assert_eq!(svc::b().await, Ok(8));
    assert_eq!(calls(), [1, 1, 2, 2]);
}
