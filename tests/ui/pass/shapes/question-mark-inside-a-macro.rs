#![deny(warnings)]
use kit::*;

macro_rules! twice {
    ($call:expr) => {
        $call.await? + $call.await?
    };
}

#[retry(policy = P, idempotent)]
async fn listed(id: u32) -> Result<Vec<String>, E> {
    let sum = twice!(down(id));
    Ok(vec![format!("{}", down(id + 1).await?), sum.to_string()])
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Ok(2), Err(E(1)), Ok(1), Ok(2), Ok(4)]);
    assert_eq!(listed(3).await, Ok(vec!["4".to_owned(), "3".to_owned()]));
    assert_eq!(calls(), [3, 3, 4, 3, 3, 4]);
}
