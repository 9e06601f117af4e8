#![deny(warnings)]
use kit::*;

pub struct Point {
    pub x: u32,
    pub y: u32,
}

#[retry(policy = P, idempotent)]
pub async fn bump(
    mut n: u32,
    (a, mut b): (u32, u32),
    Point { x, .. }: Point,
    _: u8,
    [h, ..]: [u32; 3],
) -> Result<u32, E> {
    n += 1;
    b += a;
    down(n + b + x + h).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(bump(1, (2, 3), Point { x: 4, y: 9 }, 0, [5, 0, 0]).await, Ok(7));
    assert_eq!(calls(), [16, 16]);
}
