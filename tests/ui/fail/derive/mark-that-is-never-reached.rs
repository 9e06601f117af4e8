use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(permanent)]
    #[classify(transient, when = *_0 >= 500)]
    Status(u16),
}

fn main() {
    let _ = PayError::Status(503).classify();
}
