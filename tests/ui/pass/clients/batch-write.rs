#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Error, retry};
use std::cell::RefCell;

#[derive(Debug, PartialEq, Classify)]
enum BatchError {
    #[classify(throttled)]
    Unprocessed { left: usize },
    #[classify(inherit)]
    Down(E),
}

/// Puts rows under keys of their own, so that putting one twice changes nothing.
struct Batch {
    left: RefCell<Vec<u32>>,
}

impl Batch {
    #[retry(policy = P, idempotent)]
    async fn write(&self) -> Result<(), Error<BatchError>> {
        let rows = self.left.borrow().clone();
        let written = down(rows.len() as u32).await.map_err(BatchError::Down)?;
        let mut left = self.left.borrow_mut();
        left.drain(..written as usize);
        if left.is_empty() { Ok(()) } else { Err(BatchError::Unprocessed { left: left.len() }) }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let batch = Batch { left: RefCell::new((0..25).collect()) };
    script([Ok(20), Ok(4), Ok(1)]);
    assert_eq!(batch.write().await, Ok(()));
    assert_eq!(calls(), [25, 5, 1]);
}
