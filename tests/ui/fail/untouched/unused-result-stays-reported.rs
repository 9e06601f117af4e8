#![deny(unused_must_use)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await;
    down(2);
    Ok(1)
}

fn main() {
    read();
}
