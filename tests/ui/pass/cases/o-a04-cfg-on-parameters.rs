#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
pub async fn get(
    id: u32,
    #[cfg(any())] gone: &NoSuchType,
    #[cfg(all())] extra: &u32,
    #[cfg(any())] (a, mut b): (u8, u8),
    #[cfg(all())] (c, mut d): (u32, u32),
) -> Result<u32, E> {
    d += 0;
    down(id + *extra + c + d).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(get(1, &2, (3, 4)).await, Ok(7));
    assert_eq!(calls(), [10, 10]);
}
