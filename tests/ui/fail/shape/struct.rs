use kit::*;

#[retry(policy = P, idempotent)]
pub struct Client {
    pub id: u32,
}

fn main() {
    drop(Client { id: 1 }.id);
}
