//! What one call costs, beside the same call by hand and by other crates, in one run.
//!
//! A round lets every contender make calls for a moment; the rounds follow each other, so that a slow
//! moment of the machine meets all of them. A time is the median of its rounds. Instructions are
//! counted by callgrind, and do not depend on what else the machine does.

mod bar;
mod body;
mod case;
mod figures;
mod guard;
mod hand;
mod instructions;
mod names;
mod ours;
#[cfg(feature = "peers")]
mod peers;
mod report;
mod situation;
mod time;
pub mod worker;

pub use guard::guard;
pub use report::{Report, run};
pub use situation::Situation;

use std::time::Duration;

const ATTEMPTS: u32 = 3;
const ATTEMPT: Duration = Duration::from_secs(5);
const DEADLINE: Duration = Duration::from_secs(30);
const BASE: Duration = Duration::from_millis(10);
const CAP: Duration = Duration::from_secs(1);
