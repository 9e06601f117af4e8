use kit::*;

pub struct C;

#[retry(policy = P, idempotent)]
impl C {
    pub async fn x(&self) -> Result<u32, E> {
        down(1).await
    }
}

fn main() {
    drop(C.x());
}
