use kit::*;

#[expect(async_fn_in_trait)]
pub trait T {
    #[retry(policy = P, idempotent)]
    async fn get(&self) -> Result<u32, E>;
}

fn main() {}
