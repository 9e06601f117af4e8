use kit::*;

type Reply = (u32, Result<u32, E>);

#[retry(policy = P, idempotent)]
async fn ask() -> Reply {
    (1, down(1).await)
}

fn main() {
    drop(ask());
}
