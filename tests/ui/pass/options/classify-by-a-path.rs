#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Error};

// An error of another crate: it cannot implement `Classify`.
type Foreign = std::num::ParseIntError;

mod classes {
    pub fn parse(error: &super::Foreign) -> retry_runtime::Class {
        match error.kind() {
            std::num::IntErrorKind::Empty => super::Class::TRANSIENT,
            _ => super::Class::PERMANENT,
        }
    }
}

#[retry(policy = P, idempotent, classify = classes::parse)]
async fn read(text: &str) -> Result<u32, Error<Foreign>> {
    let _ = down(text.len() as u32).await;
    text.parse()
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!(read("").await.unwrap_err().attempts(), 3);
    assert_eq!(read("x").await.unwrap_err().attempts(), 1);
    assert_eq!(calls(), [0, 0, 0, 1]);
}
