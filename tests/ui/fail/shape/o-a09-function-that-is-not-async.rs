use kit::*;

#[retry(policy = P, idempotent)]
pub fn m() -> Result<u32, E> {
    Ok(1)
}

fn main() {
    let _ = m();
}
