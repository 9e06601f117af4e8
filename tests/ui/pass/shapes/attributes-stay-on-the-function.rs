#![deny(warnings, missing_docs)]
//! What stands beside the attribute stays.
use kit::*;

/// A read.
///
/// With `code` and an [`E`].
#[inline]
#[must_use = "an answer is there to be read"]
#[retry(policy = P, idempotent)]
#[cfg(all())]
#[doc(alias = "fetch")]
pub async fn read(#[allow(unused_variables)] id: u32) -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(read(9).await, Ok(7));
    assert_eq!(calls(), [1, 1]);
}
