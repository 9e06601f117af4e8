#![deny(warnings)]
use kit::*;
use std::io;

#[retry(policy = P, idempotent)]
async fn read(kind: io::ErrorKind) -> io::Result<u32> {
    down(1).await.map_err(|_| kind)?;
    std::future::pending().await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    let reset = read(io::ErrorKind::ConnectionReset).await.unwrap_err();
    assert_eq!((reset.kind(), calls().len()), (io::ErrorKind::ConnectionReset, 3));
    script([]);
    let missing = read(io::ErrorKind::NotFound).await.unwrap_err();
    assert_eq!((missing.kind(), calls().len()), (io::ErrorKind::NotFound, 1));
    script([Ok(0)]);
    let late = read(io::ErrorKind::NotFound).await.unwrap_err();
    assert_eq!((late.kind(), calls().len()), (io::ErrorKind::TimedOut, 1));
}
