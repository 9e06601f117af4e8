use kit::*;

struct Blob(u32);

#[retry(policy = P, idempotent)]
async fn put(mut blob: Blob) -> Result<u32, E> {
    blob.0 += 1;
    down(blob.0).await
}

fn main() {
    drop(put(Blob(1)));
}
