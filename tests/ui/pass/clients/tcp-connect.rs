#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, Reason, retry};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;

struct Stream {
    peer: SocketAddr,
}

#[retry(policy = P, idempotent)]
async fn connect(to: impl Into<SocketAddr> + Copy) -> Result<Stream, Error<io::Error>> {
    let peer = to.into();
    match down(peer.port().into()).await {
        Ok(_) => Ok(Stream { peer }),
        Err(E(1)) => Err(ErrorKind::ConnectionRefused.into()),
        Err(E(_)) => Err(ErrorKind::PermissionDenied)?,
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(1)), Ok(0), Err(E(13))]);
    assert_eq!(connect(([127, 0, 0, 1], 5432)).await.unwrap().peer.port(), 5432);
    let refused = connect(([127, 0, 0, 1], 22)).await.err().unwrap();
    assert_eq!((refused.reason(), refused.attempts()), (Reason::NotRetryable, 1));
    assert_eq!(calls(), [5432, 5432, 5432, 22]);
}
