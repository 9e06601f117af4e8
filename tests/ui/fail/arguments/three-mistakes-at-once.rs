use kit::*;

#[retry(polcy = P, once = true, clone(boby), idempotent)]
async fn put(body: Vec<u8>) -> Result<u32, E> {
    down(body.len() as u32).await
}

fn main() {
    drop(put(vec![]));
}
