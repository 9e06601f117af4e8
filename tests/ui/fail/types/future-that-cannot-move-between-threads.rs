use kit::*;
use std::rc::Rc;

#[retry(policy = P, idempotent)]
async fn read(id: u32) -> Result<u32, E> {
    let id = Rc::new(id);
    down(*id).await?;
    Ok(*id)
}

fn main() {
    assert_send(read(1));
}
