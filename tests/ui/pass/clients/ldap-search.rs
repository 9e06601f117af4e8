#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};
use tokio::sync::Mutex;

struct Session {
    bound: bool,
}

impl Session {
    async fn bind(&mut self) -> Result<(), E> {
        down(0).await?;
        self.bound = true;
        Ok(())
    }

    async fn search(&self, filter: &str) -> Result<u32, E> {
        down(filter.len() as u32).await
    }
}

struct Directory {
    session: Mutex<Session>,
}

impl Directory {
    #[retry(policy = P, idempotent)]
    async fn find(&self, uid: &str) -> Result<Option<u32>, Error<E>> {
        let mut session = self.session.lock().await;
        if !session.bound {
            session.bind().await?;
        }
        match session.search(&format!("(uid={uid})")).await {
            Err(E(32)) => Ok(None),
            Err(lost) => {
                session.bound = false;
                Err(lost)
            }
            Ok(entry) => Ok(Some(entry)),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let directory = Directory { session: Mutex::new(Session { bound: false }) };
    script([Ok(0), Err(E(81)), Ok(0), Ok(7), Err(E(32))]);
    assert_eq!(directory.find("me").await, Ok(Some(7)));
    assert_eq!(directory.find("you").await, Ok(None));
    assert_eq!(calls(), [0, 8, 0, 8, 9]);
}
