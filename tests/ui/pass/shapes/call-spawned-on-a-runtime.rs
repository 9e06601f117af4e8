#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn read(name: String) -> Result<u32, E> {
    let pinned = [0u8; 64];
    let answer = down(name.len() as u32).await?;
    Ok(answer + u32::from(pinned[0]))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_send(read("unused".into()));
    script([Err(E(1)), Ok(7)]);
    assert_eq!(tokio::spawn(read("abc".into())).await.unwrap(), Ok(7));
    assert_eq!(calls(), [3, 3]);
}
