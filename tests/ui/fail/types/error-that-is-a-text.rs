use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, String> {
    down(1).await.map_err(|error| error.to_string())
}

fn main() {
    drop(read());
}
