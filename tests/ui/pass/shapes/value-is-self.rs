#![deny(warnings)]
use kit::*;

#[derive(Debug, PartialEq)]
struct Session {
    id: u32,
}

impl Session {
    #[retry(policy = P, idempotent)]
    pub(crate) async fn connect(host: &str) -> Result<Self, E> {
        Ok(Self { id: down(host.len() as u32).await? })
    }

    #[retry(policy = P, idempotent)]
    async fn halves(&self) -> Result<(Self, Option<Self>), E> {
        let id = down(self.id).await?;
        Ok((Self { id }, None))
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    let session = Session::connect("abc").await.unwrap();
    assert_eq!(session.halves().await, Ok((Session { id: 8 }, None)));
    assert_eq!(calls(), [3, 3, 7, 7]);
}
