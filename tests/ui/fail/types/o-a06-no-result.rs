use kit::*;

#[retry(policy = P, idempotent)]
pub async fn f() -> u32 {
    1
}

fn main() {
    drop(f());
}
