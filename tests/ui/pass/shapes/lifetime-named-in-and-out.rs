#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn longest<'a, 'b: 'a>(left: &'a str, right: &'b str) -> Result<&'a str, E> {
    down((left.len() + right.len()) as u32).await?;
    Ok(if left.len() > right.len() { left } else { right })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(0)]);
    let right = String::from("abcd");
    assert_eq!(longest("abc", &right).await, Ok("abcd"));
    assert_eq!(calls(), [7, 7]);
}
