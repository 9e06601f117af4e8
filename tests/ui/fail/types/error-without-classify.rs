use kit::*;
use retry_runtime::Error;

#[derive(Debug)]
struct Lost;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, Error<Lost>> {
    down(1).await.map_err(|_| Lost)
}

fn main() {
    drop(read());
}
