use retry_runtime::{Classify, Policy, retry};

const ONE: Policy = kit::P;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(stopped)]
    Stopped,
}

// Returning it as it is adds no second error.
#[retry(policy = ONE, idempotent)]
async fn read() -> Result<u32, PayError> {
    Err(PayError::Stopped)
}

fn main() {
    drop(read());
}
