use kit::*;

#[retry(policy = P, policy = P, idempotent)]
pub async fn l() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(l());
}
