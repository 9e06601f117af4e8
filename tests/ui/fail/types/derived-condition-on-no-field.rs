use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient, when = *status >= 500)]
    #[classify(permanent)]
    Status(u16),
}

fn main() {
    let _ = PayError::Status(503).classify();
}
