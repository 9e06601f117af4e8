//! The contenders that are named in more than one place.

pub(super) const PLAIN: &str = "plain call";
/// The yardstick of calls that succeed.
pub(super) const TIMEOUT: &str = "loop by hand, timeout per attempt";
/// The yardstick of calls that fail and succeed then.
pub(super) const SLEEP: &str = "loop by hand, jittered sleep";

/// With the features of [`COMPLETE`] that a page of code can have.
pub(super) const BY_HAND: &str = "loop by hand, complete";

pub(super) const COMPLETE: &str = "retry, complete";

pub(super) const EXECUTION_POLICY: &str = "execution-policy, complete";
pub(super) const SEATBELT: &str = "seatbelt, retry, timeout and breaker";
pub(super) const ASSEMBLED: &str = "backon, tokio's timeout, recloser and tower's budget";
