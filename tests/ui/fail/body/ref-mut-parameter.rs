use kit::*;

#[retry(policy = P, idempotent)]
async fn count(ref mut n: u32) -> Result<u32, E> {
    *n += 1;
    down(*n).await
}

fn main() {
    drop(count(1));
}
