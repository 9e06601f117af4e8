use kit::*;

#[retry(policy = P, idempotent)]
pub async fn f() -> Result<u32, E> {
    let n: u32 = "no";
    Ok(n)
}

fn main() {
    drop(f());
}
