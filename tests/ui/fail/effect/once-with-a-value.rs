use kit::*;

#[retry(policy = P.max_attempts(1), once = true)]
async fn append() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(append());
}
