use kit::*;

struct Job(Vec<u32>);

impl Job {
    #[retry(policy = P, idempotent)]
    async fn run(self) -> Result<u32, E> {
        let Self(rows) = self;
        down(rows.len() as u32).await
    }
}

fn main() {
    drop(Job(vec![]).run());
}
