//! What the leaf calls: it fails at once, or hangs.

use crate::options::Options;
use crate::{NEXT, THREE};
use retry_runtime::{Classify, Error, retry};
use retry_wire_tests::log::Line;
use std::time::Duration;
use tokio::time::sleep;

/// The storage is down.
#[derive(Debug, thiserror::Error, Classify)]
#[error("the storage is down")]
#[classify(transient)]
pub struct Down;

#[retry(policy = THREE, downstream = NEXT, idempotent)]
pub async fn load(options: &Options) -> Result<(), Error<Down>> {
    println!("{}", Line::now(&options.name, "called"));
    let _running = Running(&options.name);
    if options.hangs {
        sleep(Duration::from_secs(10)).await;
    }
    Err(Down)
}

/// Logs when the work ends, however it ends.
pub struct Running<'n>(pub &'n str);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        println!("{}", Line::now(self.0, "ended"));
    }
}
