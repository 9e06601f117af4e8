use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(throttled, retry_after = Duration::from_secs(1))]
    Busy,
}

fn main() {
    let _ = PayError::Busy.classify();
}
