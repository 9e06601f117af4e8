#![deny(warnings)]
use kit::*;

struct Search;

impl Search {
    async fn post(&self, query: &str) -> Result<u32, E> {
        down(query.len() as u32).await
    }
}

#[retry(policy = P, idempotent = "a search is sent by POST because queries are long")]
async fn find(http: &Search, query: &str) -> Result<u32, E> {
    http.post(query).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(find(&Search, "rust").await, Ok(7));
    assert_eq!(calls(), [4, 4]);
}
