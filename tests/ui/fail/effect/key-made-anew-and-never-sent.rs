use kit::*;

fn next_key() -> String {
    "k1".into()
}

#[retry(policy = P, idempotency_key = next_key())]
async fn charge(cents: u32) -> Result<u32, E> {
    down(cents).await
}

fn main() {
    drop(charge(250));
}
