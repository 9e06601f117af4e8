use retry_runtime::Classify;
use std::io;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(inherit)]
    Both(io::Error, io::Error),
}

fn main() {
    let _ = |a, b| PayError::Both(a, b).classify();
}
