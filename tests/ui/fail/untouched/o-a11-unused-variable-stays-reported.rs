#![deny(unused_variables)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn read(id: u32) -> Result<u32, E> {
    let unused = 1;
    down(1).await
}

fn main() {
    drop(read(1));
}
