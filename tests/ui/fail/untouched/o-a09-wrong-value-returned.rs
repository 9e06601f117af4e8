use kit::*;

#[retry(policy = P, idempotent)]
pub async fn h() -> Result<(), E> {
    return Ok(1);
}

fn main() {
    drop(h());
}
