use kit::*;
use std::time::Instant;

#[retry(policy = P, idempotent, deadline = until)]
async fn read(until: Instant) -> Result<u32, E> {
    down(u32::from(until > Instant::now())).await
}

fn main() {
    drop(read(Instant::now()));
}
