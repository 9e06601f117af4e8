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
#[retry(policy = P, idempotent)]
pub async fn page(from: u32) -> Result<impl Iterator<Item = u32> + Send, E> {
    let n = down(from).await?;
    let pad = [0u8; 8192];
    down(pad.len() as u32).await?;
    Ok((0..n).map(move |i| i + from))
}
pub type Plan = Box<dyn Fn(u32) -> u32 + Send>;
fn class(_: &Box<dyn std::error::Error + Send + Sync>) -> retry_runtime::Class {
    retry_runtime::Class::PERMANENT
}
#[retry(policy = P, idempotent, classify = class)]
pub async fn plan(src: &str) -> Result<Plan, Box<dyn std::error::Error + Send + Sync>> {
    if src.is_empty() {
        return Err("empty".into());
    }
    let k: u32 = src.parse()?;
    let base = down(k).await?;
    Ok(Box::new(move |x| x + base))
}
pub struct Conn {
    pub id: u32,
    pub hits: u32,
    pub buf: String,
}
impl Conn {
    #[retry(policy = P, idempotent)]
    pub async fn read(&mut self) -> Result<u32, E> {
        macro_rules! id {
            () => {
                self.id
            };
        }
        self.hits += 1;
        println!("{}", self.hits);
        down(id!()).await
    }
    #[retry(policy = P, idempotent)]
    pub async fn peek(&self) -> Result<&str, E> {
        down(self.id).await?;
        Ok(&self.buf)
    }
    #[retry(policy = P, idempotent)]
    pub async fn via(self: std::sync::Arc<Self>) -> Result<u32, E> {
        down(self.id).await
    }
}
#[retry(policy = P, idempotency_key = order)]
pub async fn charge(order: &str) -> Result<u32, retry_runtime::Error<E>> {
    let _ = order;
    down(7).await.map_err(|e| e)?;
    Err(E(3))
}
#[retry(policy = P, idempotent)]
pub async fn fetch(
    key: u32,
    attempt: u32,
    policy: u32,
    deadline: u32,
    err: u32,
    result: u32,
    tokio: u32,
    __retry: u32,
) -> Result<u32, E> {
    down(key + 10 * attempt + 100 * policy + 1000 * (deadline + err + result + tokio + __retry))
        .await
}
#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    println!("{:?} {:?}", bump(1, (2, 3), Point { x: 4, y: 9 }, 0, [5, 0, 0]).await, calls());
    let mut c = Conn { id: 1, hits: 0, buf: String::new() };
    script([Err(E(1)), Err(E(1)), Ok(5)]);
    println!("{:?} {:?} {}", c.read().await, calls(), c.hits);
    assert_send(page(3));
    assert_send(fetch(1, 2, 3, 0, 0, 0, 0, 4));
    println!("{:?}", charge("x").await);
    println!("{:?}", charge("").await);
    script([Ok(1)]);
    println!("{:?}", plan("41").await.map(|p| p(1)));
    async fn plain(from: u32) -> Result<impl Iterator<Item = u32> + Send, E> {
        let n = down(from).await?;
        let pad = [0u8; 8192];
        down(pad.len() as u32).await?;
        Ok((0..n).map(move |i| i + from))
    }
    println!("{} {}", size_of_val(&plain(1)), size_of_val(&page(1)));
}
