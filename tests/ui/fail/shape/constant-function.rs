use kit::*;

#[retry(policy = P, idempotent)]
const fn read() -> Result<u32, E> {
    Ok(1)
}

fn main() {
    let _ = read();
}
