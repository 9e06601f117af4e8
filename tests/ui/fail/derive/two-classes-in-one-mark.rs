use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient, throttled)]
    Busy,
}

fn main() {
    let _ = PayError::Busy.classify();
}
