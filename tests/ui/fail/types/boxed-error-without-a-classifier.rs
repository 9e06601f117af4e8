use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, Box<dyn std::error::Error + Send + Sync>> {
    Ok(down(1).await?)
}

fn main() {
    drop(read());
}
