#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::retry;
use std::io;
use std::net::{IpAddr, Ipv4Addr};

struct Resolver;

impl Resolver {
    async fn query(&self, host: &str) -> Result<u32, E> {
        down(host.len() as u32).await
    }
}

#[retry(policy = P, idempotent)]
async fn resolve(
    resolver: &Resolver,
    host: &str,
) -> io::Result<impl Iterator<Item = IpAddr> + use<>> {
    let last = match resolver.query(host).await {
        Ok(last) => u8::try_from(last).map_err(io::Error::other)?,
        Err(E(3)) => return Err(io::Error::new(io::ErrorKind::NotFound, "no such host")),
        Err(E(_)) => return Err(io::ErrorKind::TimedOut.into()),
    };
    Ok((0..2).map(move |more| Ipv4Addr::new(192, 0, 2, last + more).into()))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(2)), Ok(8), Err(E(3))]);
    let found: Vec<String> =
        resolve(&Resolver, "db").await.unwrap().map(|ip| ip.to_string()).collect();
    assert_eq!(found, ["192.0.2.8", "192.0.2.9"]);
    assert_eq!(resolve(&Resolver, "db").await.err().unwrap().kind(), io::ErrorKind::NotFound);
    assert_eq!(calls(), [2, 2, 2]);
}
