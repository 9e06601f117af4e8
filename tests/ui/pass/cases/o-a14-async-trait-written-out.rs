#![deny(warnings)]
use kit::*;
use std::pin::Pin;

type Boxed<'f> = Pin<Box<dyn Future<Output = Result<u32, E>> + Send + 'f>>;

trait Api: Sync {
    fn get<'s, 'f>(&'s self, id: u32) -> Boxed<'f>
    where
        's: 'f,
        Self: 'f;
}

struct Client(u32);

impl Api for Client {
    // What `#[async_trait]` on the `impl` makes of `async fn get(&self, mut id: u32)`.
    #[retry(policy = P, idempotent)]
    fn get<'s, 'f>(&'s self, id: u32) -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            if let Some(__ret) = None::<Result<u32, E>> {
                return __ret;
            }
            let __self = self;
            let mut id = id;
            let __ret: Result<u32, E> = {
                id += __self.0;
                down(id).await
            };
            __ret
        })
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let client: &dyn Api = &Client(2);
    script([Err(E(1)), Ok(7)]);
    assert_eq!(tokio::spawn(Client(2).get(3)).await.unwrap_or(Err(E(0))).ok(), Some(7));
    assert_eq!(calls(), [5, 5]);
    script([Err(E(1)), Ok(8)]);
    assert_eq!(client.get(4).await, Ok(8));
    assert_eq!(calls(), [6, 6]);
}
