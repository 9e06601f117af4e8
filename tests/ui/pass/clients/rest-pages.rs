#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Api;

struct Page {
    rows: Vec<u32>,
    next: Option<u32>,
}

impl Api {
    // Each page is a call of its own, so a failure on page 40 does not start again at page 1.
    #[retry(policy = P, idempotent)]
    async fn page(&self, cursor: u32) -> Result<Page, Error<E>> {
        let row = down(cursor).await?;
        Ok(Page { rows: vec![row], next: (cursor < 3).then_some(cursor + 1) })
    }

    async fn all(&self) -> Result<Vec<u32>, Error<E>> {
        let (mut rows, mut next) = (Vec::new(), Some(1));
        while let Some(cursor) = next {
            let page = self.page(cursor).await?;
            rows.extend(page.rows);
            next = page.next;
        }
        Ok(rows)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(10), Err(E(503)), Ok(20), Err(E(503)), Err(E(503)), Ok(30)]);
    assert_eq!(Api.all().await, Ok(vec![10, 20, 30]));
    assert_eq!(calls(), [1, 2, 2, 3, 3, 3]);
}
