use retry_runtime::Classify;
use std::io;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(inherit, not_sent)]
    Io(io::Error),
}

fn main() {
    let _ = |error| PayError::Io(error).classify();
}
