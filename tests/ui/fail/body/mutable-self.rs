use kit::*;

struct Counter(u32);

impl Counter {
    #[retry(policy = P, idempotent)]
    async fn count(mut self) -> Result<u32, E> {
        self.0 += 1;
        down(self.0).await
    }
}

fn main() {
    drop(Counter(1).count());
}
