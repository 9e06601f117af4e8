use kit::*;

#[retry(polcy = P, idempotent)]
pub async fn k() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(k());
}
