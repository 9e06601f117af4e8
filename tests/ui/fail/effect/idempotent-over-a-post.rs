use kit::*;

struct Http;

impl Http {
    async fn post(&self, path: &str) -> Result<u32, E> {
        down(path.len() as u32).await
    }
}

#[retry(policy = P, idempotent)]
async fn order(http: &Http) -> Result<u32, E> {
    http.post("/orders").await
}

fn main() {
    drop(order(&Http));
}
