use kit::*;

#[derive(Clone)]
struct Job;

impl Job {
    #[retry(policy = P, idempotent, clone(self))]
    async fn run(self) -> Result<u32, E> {
        down(1).await
    }
}

fn main() {
    drop(Job.run());
}
