#![deny(warnings)]
use kit::retry;

#[derive(Debug, PartialEq)]
#[expect(non_camel_case_types, reason = "to meet what generated code might name")]
pub enum Option { Some, None, Ok, Err, async_ }
pub use Option::*;
pub type Result = std::result::Result<Option, kit::E>;
pub struct Drop;
pub struct Send;
pub mod core {}
pub mod std_ {}

#[retry(policy = kit::P, idempotent)]
async fn get(_: Drop, _: Send) -> Result {
    kit::down(1).await?;
    std::result::Result::Ok(Some)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    kit::script([std::result::Result::Err(kit::E(1)), std::result::Result::Ok(7)]);
    assert!(get(Drop, Send).await == std::result::Result::Ok(Some));
    assert!(None != async_ && Ok != Err);
    assert_eq!(kit::calls(), [1, 1]);
}
