use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient)]
    Status(#[classify(transient)] u16),
}

fn main() {
    let _ = PayError::Status(1).classify();
}
