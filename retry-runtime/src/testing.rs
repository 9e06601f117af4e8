//! For tests of code that calls through annotated functions; needs the feature `testing`.
//!
//! A [`Script`] is a downstream that answers as it is told, [`seeded`] makes the draws of calls
//! repeat, and [`check`] says in a sentence what a recorded call has to have done, and shows its
//! timeline where it has not. With tokio's paused clock a test of minutes takes no time.
//!
//! ```
//! use retry_runtime::testing::{Script, check, seeded};
//! use retry_runtime::{Downstream, Policy, Reason, record, retry};
//! use std::io::{Error, ErrorKind};
//! use std::time::Duration;
//!
//! const READ: Policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(1))
//!     .deadline(Duration::from_secs(5));
//!
//! #[retry(policy = READ, idempotent)]
//! async fn read(server: &Script<u32, ErrorKind>) -> std::io::Result<u32> {
//!     Ok(server.answer().await?)
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
//! let refused = Err(ErrorKind::ConnectionRefused);
//! let server = Script::new([refused, refused, Ok(7)]);
//! let (result, trace) = record(seeded(1, read(&server))).await;
//! assert_eq!(result.unwrap(), 7);
//! assert_eq!(server.count(), 3);
//! check(&trace).succeeded().attempts(3).waits_at_most(Duration::from_millis(300));
//! # }
//! ```

mod check;
mod script;
mod seeded;

pub use check::{Check, check};
pub use script::Script;
pub use seeded::{Seeded, seeded};
