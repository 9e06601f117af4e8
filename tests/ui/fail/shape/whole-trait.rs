use kit::*;

#[retry(policy = P, idempotent)]
pub trait T {
    fn x(&self) -> impl Future<Output = Result<u32, E>>;
}

fn main() {}
