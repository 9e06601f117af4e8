//! Every shape, run, and the cases from the field that are about shapes.

mod cases;
mod forgotten;
mod neighbours;
mod rows;

use kit::{E, calls, script};

/// One annotated function.
struct Shape {
    name: &'static str,
    /// What the downstream sees of an attempt that succeeds.
    sends: &'static [u32],
    /// The bytes of the arguments, where they matter: the loop keeps them for the attempts to come.
    arguments: usize,
}

impl Shape {
    /// Two failures and a success make three attempts, and failures alone as many as the policy has.
    async fn check_attempts(&self, call: impl AsyncFn() -> bool) {
        let first = self.sends[0];
        script([Err(E(1)), Err(E(2)), Ok(7), Ok(7), Ok(7)]);
        assert!(call().await, "{}: the third attempt succeeds", self.name);
        let sent: Vec<u32> = [first; 2].iter().chain(self.sends).copied().collect();
        assert_eq!(calls(), sent, "{}: two failures and a success", self.name);

        script([]);
        assert!(!call().await, "{}: every attempt fails", self.name);
        assert_eq!(calls(), [first; 3], "{}: failures alone", self.name);
    }

    /// The future holds the body's future once, and beside it the state of the loop.
    fn check_size(&self, retried: usize, plain: usize) {
        let fits = retried <= plain + self.arguments + 512;
        assert!(fits, "{}: {retried} bytes, and {plain} without", self.name);
    }
}
