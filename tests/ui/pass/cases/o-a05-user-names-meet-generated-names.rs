#![deny(warnings)]
use kit::*;

pub enum Ready {
    A(u32),
}
pub enum Poll {
    Pending,
}

#[allow(clippy::too_many_arguments)]
#[retry(policy = P, idempotent)]
#[rustfmt::skip]
pub async fn fetch(key: u32, attempt: u32, policy: u32, deadline: u32, err: u32, result: u32, tokio: u32, __retry: u32) -> Result<u32, E> {
    let Ready::A(start) = Ready::A(key);
    let Poll::Pending = Poll::Pending;
    down(start + 10 * attempt + 100 * policy + 1000 * (deadline + err + result + tokio + __retry)).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(fetch(1, 2, 3, 0, 0, 0, 0, 4).await, Ok(7));
    assert_eq!(calls(), [4321, 4321]);
}
