#![deny(warnings)]
use kit::*;
use std::pin::Pin;

trait Transport: Sync {
    fn send(&self, id: u32) -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send + '_>>;
}

struct Wire;

impl Transport for Wire {
    fn send(&self, id: u32) -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send + '_>> {
        Box::pin(down(id))
    }
}

#[retry(policy = P, idempotent)]
async fn ask(wire: &dyn Transport, spare: Box<dyn Transport + Send>) -> Result<u32, E> {
    match wire.send(1).await {
        Ok(answer) => Ok(answer),
        Err(_) => spare.send(2).await,
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_send(ask(&Wire, Box::new(Wire)));
    script([Err(E(1)), Err(E(2)), Err(E(3)), Ok(7)]);
    assert_eq!(ask(&Wire, Box::new(Wire)).await, Ok(7));
    assert_eq!(calls(), [1, 2, 1, 2]);
}
