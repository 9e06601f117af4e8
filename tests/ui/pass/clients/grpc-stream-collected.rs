#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

/// A stream that is read to its end within one attempt: half a stream is thrown away.
struct Streaming {
    next: u32,
}

impl Streaming {
    async fn message(&mut self) -> Result<Option<u32>, E> {
        self.next += 1;
        if self.next > 3 { Ok(None) } else { down(self.next).await.map(Some) }
    }
}

#[retry(policy = P, idempotent)]
async fn rows(from: u32) -> Result<Vec<u32>, Error<E>> {
    let mut stream = Streaming { next: from };
    let mut rows = vec![];
    while let Some(row) = stream.message().await? {
        rows.push(row);
    }
    Ok(rows)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(10), Ok(20), Err(E(14)), Ok(10), Ok(20), Ok(30)]);
    assert_eq!(rows(0).await, Ok(vec![10, 20, 30]));
    assert_eq!(calls(), [1, 2, 3, 1, 2, 3]);
}
