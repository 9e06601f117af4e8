use kit::*;

#[retry(policy = P, idempotent)]
pub async fn g() {}

fn main() {
    drop(g());
}
