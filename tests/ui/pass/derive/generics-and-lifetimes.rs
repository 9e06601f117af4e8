#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Error, Stopped};

#[derive(Debug, Classify)]
enum Layered<'n, S, const N: usize = 0>
where
    S: Classify + Send,
{
    #[classify(inherit)]
    Below(S),
    #[classify(permanent)]
    Refused(&'n str, [u8; N]),
    #[classify(stopped)]
    Stopped(Stopped),
}

#[retry(policy = P, idempotent)]
async fn read<'n>(name: &'n str) -> Result<u32, Error<Layered<'n, E, 2>>> {
    if name.is_empty() {
        return Err(Layered::Refused(name, [0; 2]));
    }
    down(name.len() as u32).await.map_err(Layered::Below)
}

#[retry(policy = P, idempotent)]
async fn plain<S: Classify + Send + From<E>>() -> Result<u32, Layered<'static, S>> {
    down(1).await.map_err(|error| Layered::Below(error.into()))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!(read("ab").await.unwrap(), 7);
    assert_eq!(plain::<E>().await.unwrap(), 8);
    let refused = read("").await.unwrap_err().into_last();
    assert!(matches!(refused, Some(Layered::Refused("", [0, 0]))));
    assert_eq!(calls(), [2, 2, 1, 1]);
}
