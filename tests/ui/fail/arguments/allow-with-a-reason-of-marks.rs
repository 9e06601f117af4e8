use kit::*;

#[retry(policy = P, idempotent, allow(no_jitter = "\n..."))]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
