use kit::*;

trait Api {
    #[retry(policy = P.max_attempts(0), idempotent)]
    async fn read(&self) -> Result<u32, E> {
        down(1).await
    }
}

fn main() {}
