#![deny(warnings)]
use kit::*;

struct Request<'r> {
    path: &'r str,
}

struct Reply<'r> {
    path: &'r str,
    status: u32,
}

#[retry(policy = P, idempotent)]
async fn send<'r>(request: Request<'r>, _trace: Request<'_>) -> Result<Reply<'r>, E> {
    let status = down(request.path.len() as u32).await?;
    Ok(Reply { path: request.path, status })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(200)]);
    let path = String::from("/a");
    let reply = send(Request { path: &path }, Request { path: "trace" }).await.unwrap();
    assert_eq!((reply.path, reply.status), ("/a", 200));
    assert_eq!(calls(), [2, 2]);
}
