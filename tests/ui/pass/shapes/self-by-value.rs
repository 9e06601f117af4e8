#![deny(warnings)]
use kit::*;

struct Upload {
    part: u32,
    bytes: Vec<u8>,
}

impl Upload {
    #[retry(policy = P, idempotent)]
    async fn finish(self) -> Result<u32, E> {
        down(self.part + self.bytes.len() as u32).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(Upload { part: 3, bytes: vec![0; 4] }.finish().await, Ok(7));
    assert_eq!(calls(), [7, 7]);
}
