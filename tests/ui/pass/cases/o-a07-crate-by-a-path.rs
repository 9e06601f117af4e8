#![deny(warnings)]
use kit::{E, P, calls, down, script};

pub mod facade {
    pub mod private {
        pub use retry_runtime as rr;
    }
}

#[facade::private::rr::retry(crate = facade::private::rr, policy = P, idempotent)]
pub async fn get() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(get().await, Ok(7));
    assert_eq!(calls(), [1, 1]);
}
