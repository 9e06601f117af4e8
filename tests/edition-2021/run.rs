//! The shapes, run in edition 2021, and what only that edition reads so.

use kit::{E, P, calls, down, retry, script};
use retry_edition_2021 as shapes;
use std::future::Future;

#[path = "../shapes/run/mod.rs"]
mod run;

/// What stands in a condition outlives the `else`, and what stands at the end the locals.
const ORDER_OF_DROPS: [&str; 4] = ["else", "condition", "local", "last"];

/// Later editions keep this word for themselves.
#[retry(policy = P, idempotent)]
async fn gen(gen: u32) -> Result<u32, E> {
    down(gen).await
}

#[tokio::test(start_paused = true)]
async fn a_word_that_is_free_in_this_edition_is_a_name() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(gen(3).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}

/// A returned future holds only the borrows that its type names.
#[retry(policy = P, idempotent)]
fn from_borrowed(id: &u32) -> impl Future<Output = Result<u32, E>> {
    let id = *id;
    async move { down(id).await }
}

#[tokio::test(start_paused = true)]
async fn a_returned_future_outlives_what_it_was_made_from() {
    let future = {
        let id = 3;
        from_borrowed(&id)
    };
    script([Err(E(1)), Ok(7)]);
    assert_eq!(future.await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}
