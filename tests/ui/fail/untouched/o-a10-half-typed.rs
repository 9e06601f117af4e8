use kit::*;

pub struct Conn;

#[retry(policy = P, idempotent)]
async fn f(a: Conn) -> Result<u32, E> {
    let x = a;
    x.
}

fn main() {
    drop(f(Conn));
}
