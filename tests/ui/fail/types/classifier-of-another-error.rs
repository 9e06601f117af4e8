use kit::*;
use retry_runtime::Class;

fn class(_: &std::io::Error) -> Class {
    Class::TRANSIENT
}

#[retry(policy = P, idempotent, classify = class)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
