#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Upload {
    id: String,
    tags: Vec<u32>,
}

impl Upload {
    // A part with the same number replaces the one before.
    #[retry(policy = P, idempotent)]
    async fn part<const N: usize>(&self, number: u32, bytes: &[u8; N]) -> Result<u32, Error<E>> {
        down(number * 100 + bytes.len() as u32).await
    }

    #[retry(policy = P, idempotency_key = self.id)]
    async fn complete(self) -> Result<usize, Error<E>> {
        down(self.tags.iter().sum::<u32>() + self.id.len() as u32).await?;
        Ok(self.tags.len())
    }
}

async fn upload(parts: &[[u8; 5]]) -> Result<usize, Error<E>> {
    let mut upload = Upload { id: "upload-1".into(), tags: vec![] };
    for (number, part) in (1..).zip(parts) {
        let tag = upload.part(number, part).await?;
        upload.tags.push(tag);
    }
    upload.complete().await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Err(E(503)), Ok(2), Err(E(500)), Ok(0)]);
    assert_eq!(upload(&[[0; 5], [1; 5]]).await, Ok(2));
    assert_eq!(calls(), [105, 205, 205, 11, 11]);
}
