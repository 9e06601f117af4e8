use kit::*;

pub struct Blob(pub Vec<u8>);

async fn ship(b: Blob) -> Result<u32, E> {
    down(b.0.len() as u32).await
}

#[retry(policy = P, idempotent)]
pub async fn used_up(body: Blob) -> Result<u32, E> {
    ship(body).await
}

fn main() {
    drop(used_up(Blob(vec![])));
}
