//! The shapes, run in edition 2024, and what only that edition reads so.

use kit::{E, P, calls, down, retry, script};
use retry_edition_2024 as shapes;
use std::cell::RefCell;

#[path = "../shapes/run/mod.rs"]
mod run;

/// What stands in a condition is gone before the `else`, and what stands at the end before the
/// locals.
const ORDER_OF_DROPS: [&str; 4] = ["condition", "else", "last", "local"];

#[retry(policy = P, idempotent)]
async fn borrowed_at_the_end(id: u32) -> Result<u32, E> {
    let answers = RefCell::new(Vec::new());
    let answer = down(id).await?;
    answers.borrow_mut().push(answer);
    answers.borrow().first().copied().ok_or(E(404))
}

#[tokio::test(start_paused = true)]
async fn a_borrow_of_a_local_may_end_the_body() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(borrowed_at_the_end(3).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}

#[retry(policy = P, idempotent)]
async fn chained(id: Option<u32>) -> Result<u32, E> {
    if let Some(id) = id
        && id > 2
        && let Ok(answer) = down(id).await
    {
        return Ok(answer);
    }
    Err(E(404))
}

#[tokio::test(start_paused = true)]
async fn conditions_are_chained() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(chained(Some(3)).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}

/// A returned future holds every borrow that it was made from.
#[retry(policy = P, idempotent)]
fn from_borrowed(id: &u32) -> impl Future<Output = Result<u32, E>> {
    async move { down(*id).await }
}

#[retry(policy = P, idempotent)]
async fn r#gen(r#gen: u32) -> Result<u32, E> {
    from_borrowed(&r#gen).await
}

#[tokio::test(start_paused = true)]
async fn a_word_of_this_edition_is_a_raw_name() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(r#gen(3).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}
