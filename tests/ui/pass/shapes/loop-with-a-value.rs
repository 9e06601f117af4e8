#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn poll_until_done(job: u32) -> Result<u32, E> {
    let mut polls = 0;
    let state = 'poll: loop {
        polls += 1;
        while polls < 10 {
            match down(job).await? {
                0 => continue 'poll,
                state => break 'poll state,
            }
        }
    };
    Ok(state + polls)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(0), Err(E(1)), Ok(0), Ok(0), Ok(100)]);
    assert_eq!(poll_until_done(5).await, Ok(103));
    assert_eq!(calls().len(), 5);
}
