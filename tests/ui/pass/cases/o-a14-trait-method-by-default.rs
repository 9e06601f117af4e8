#![deny(warnings)]
use kit::*;

#[expect(async_fn_in_trait)]
pub trait Native {
    fn id(&self) -> u32;

    #[retry(policy = P, idempotent)]
    async fn get(&self) -> Result<u32, E> {
        down(self.id()).await
    }
}

pub struct Client;

impl Native for Client {
    fn id(&self) -> u32 {
        2
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(3)]);
    assert_eq!(Client.get().await, Ok(3));
    assert_eq!(calls(), [2, 2]);
}
