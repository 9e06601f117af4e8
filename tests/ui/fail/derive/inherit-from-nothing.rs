use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(inherit)]
    Io,
}

fn main() {
    let _ = PayError::Io.classify();
}
