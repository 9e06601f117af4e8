use kit::*;

#[retry(policy = P, idempotency_key = key)]
async fn charge(key: String) -> Result<(u32, String), E> {
    Ok((down(1).await?, key))
}

fn main() {
    drop(charge(String::new()));
}
