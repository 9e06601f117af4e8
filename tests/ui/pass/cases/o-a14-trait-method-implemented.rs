#![deny(warnings)]
use kit::*;

#[expect(async_fn_in_trait)]
pub trait Api {
    async fn get(&self, id: u32) -> Result<u32, E>;
}

pub struct Client;

impl Api for Client {
    #[retry(policy = P, idempotent)]
    async fn get(&self, id: u32) -> Result<u32, E> {
        down(id).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(3)]);
    assert_eq!(Client.get(1).await, Ok(3));
    assert_eq!(calls(), [1, 1]);
}
