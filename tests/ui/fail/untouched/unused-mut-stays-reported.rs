#![deny(unused_mut)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn read(mut id: u32) -> Result<u32, E> {
    down(id).await
}

fn main() {
    drop(read(1));
}
