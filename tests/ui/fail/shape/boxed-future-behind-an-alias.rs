use kit::*;
use std::pin::Pin;

type Boxed<'a> = Pin<Box<dyn Future<Output = Result<u32, E>> + Send + 'a>>;

struct Client;

impl Client {
    #[retry(policy = P, idempotent)]
    fn get(&self) -> Boxed<'_> {
        Box::pin(async move { down(1).await })
    }
}

fn main() {
    drop(Client.get());
}
