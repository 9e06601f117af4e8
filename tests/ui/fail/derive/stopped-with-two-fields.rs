use retry_runtime::{Classify, Stopped};

#[derive(Debug, Classify)]
enum PayError {
    #[classify(stopped)]
    Stopped(Stopped, u16),
}

fn main() {
    let _ = |stopped| PayError::Stopped(stopped, 1).classify();
}
