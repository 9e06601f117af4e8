use kit::*;

#[retry(policy = P, idempotent, clone = body)]
async fn put(body: Vec<u8>) -> Result<u32, E> {
    down(body.len() as u32).await
}

fn main() {
    drop(put(vec![]));
}
