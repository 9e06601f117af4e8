#![deny(warnings)]
use kit::*;

struct Page {
    number: u32,
    marks: Vec<u32>,
}

#[retry(policy = P, idempotent)]
async fn read(ref whole @ Page { number, ref marks }: Page, &step: &u32) -> Result<u32, E> {
    down(whole.number + number + marks[0] + step).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(read(Page { number: 1, marks: vec![10] }, &100).await, Ok(7));
    assert_eq!(calls(), [112, 112]);
}
