use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, E> {
    down(1)
}

fn main() {
    drop(read());
}
