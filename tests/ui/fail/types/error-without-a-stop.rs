use kit::*;
use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum ReadError {
    #[classify(transient)]
    Lost,
}

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, ReadError> {
    down(1).await.map_err(|_| ReadError::Lost)
}

fn main() {
    drop(read());
}
