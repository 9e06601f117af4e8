use kit::*;
use tokio::time::Instant;

#[retry(policy = P, idempotent, deadline = early, deadline = late)]
async fn read(early: Instant, late: Instant) -> Result<u32, E> {
    down(u32::from(early < late)).await
}

fn main() {
    drop(read(Instant::now(), Instant::now()));
}
