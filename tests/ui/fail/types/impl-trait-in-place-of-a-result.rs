use kit::*;

#[retry(policy = P, idempotent)]
async fn rows() -> impl Iterator<Item = u32> {
    down(1).await.into_iter()
}

fn main() {
    drop(rows());
}
