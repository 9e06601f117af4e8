use kit::*;

#[retry(policy = P, idempotent, classify = |error: &E| error.0 >= 500)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
