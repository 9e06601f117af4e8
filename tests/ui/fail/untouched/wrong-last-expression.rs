use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<String, E> {
    let answer = down(1).await?;
    Ok(answer)
}

fn main() {
    drop(read());
}
