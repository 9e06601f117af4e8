use kit::*;
use retry_runtime::Class;

#[retry(policy = P, idempotent, classify = Class::TRANSIENT)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
