use kit::*;

struct Client;

impl Client {
    #[retry(policy = P, idempotent)]
    async fn swap(&mut self, left: &mut u32, (right, _): &mut (u32, u32)) -> Result<(), E> {
        std::mem::swap(left, right);
        down(1).await.map(drop)
    }
}

fn main() {
    drop(Client.swap(&mut 1, &mut (2, 3)));
}
