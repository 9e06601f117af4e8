use retry_runtime::Classify;

#[derive(Debug, Classify)]
#[classify(transient)]
enum PayError {
    #[classify(permanent)]
    Declined,
}

fn main() {
    let _ = PayError::Declined.classify();
}
