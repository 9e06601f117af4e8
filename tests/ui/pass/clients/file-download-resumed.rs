#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Download {
    url: String,
    bytes: Vec<u8>,
}

impl Download {
    /// Goes on where the attempt before was cut: `&mut self` keeps what is there.
    #[retry(policy = P, idempotent)]
    async fn finish(&mut self, length: usize) -> Result<usize, Error<E>> {
        while self.bytes.len() < length {
            let got = down(self.bytes.len() as u32).await?;
            self.bytes.extend(std::iter::repeat_n(0, got as usize));
        }
        Ok(self.bytes.len() + self.url.len())
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut download = Download { url: "u".into(), bytes: vec![] };
    script([Ok(40), Err(E(0)), Ok(40), Err(E(0)), Ok(20)]);
    assert_eq!(download.finish(100).await, Ok(101));
    assert_eq!(calls(), [0, 40, 40, 80, 80]);
}
