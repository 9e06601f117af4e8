use kit::*;

#[retry(policy = P, idempotent)]
async fn ping() -> () {
    let _ = down(1).await;
}

fn main() {
    drop(ping());
}
