use kit::*;
use retry_runtime::Error;

#[retry(policy = P)]
async fn charge(cents: u64) -> Result<u32, Error<E>> {
    if cents == 0 {
        return Err(E(400));
    }
    down(cents as u32).await
}

fn main() {
    drop(charge(250));
}
