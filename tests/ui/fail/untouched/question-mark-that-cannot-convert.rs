use kit::*;

#[retry(policy = P, idempotent)]
async fn read(text: &str) -> Result<u32, E> {
    let id = text.parse::<u32>()?;
    down(id).await
}

fn main() {
    drop(read("1"));
}
