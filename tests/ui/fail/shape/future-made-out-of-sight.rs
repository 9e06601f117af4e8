use kit::*;

#[retry(policy = P, idempotent)]
fn read() -> impl Future<Output = Result<u32, E>> {
    down(1)
}

fn main() {
    drop(read());
}
