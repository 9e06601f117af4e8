use kit::*;

#[retry(policy = P, idempotent)]
async fn find(id: u32) -> Option<u32> {
    down(id).await.ok()
}

fn main() {
    drop(find(1));
}
