use retry_runtime::{Classify, Stopped};

#[derive(Debug, Classify)]
enum PayError {
    #[classify(stopped, not_sent)]
    Stopped(Stopped),
}

fn main() {
    let _ = |stopped| PayError::Stopped(stopped).classify();
}
