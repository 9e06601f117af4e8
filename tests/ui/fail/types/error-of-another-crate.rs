use kit::*;
use retry_runtime::Error;
use std::num::ParseIntError;

#[retry(policy = P, idempotent)]
async fn read(text: &str) -> Result<u32, Error<ParseIntError>> {
    text.parse()
}

fn main() {
    drop(read("1"));
}
