use kit::*;

enum Method {
    PATCH,
}

#[retry(policy = P, idempotent)]
async fn change() -> Result<u32, E> {
    let method = Method::PATCH;
    down(method as u32).await
}

fn main() {
    drop(change());
}
