use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(throttled, retry_after = seconds)]
    Busy { seconds: u64 },
}

fn main() {
    let _ = PayError::Busy { seconds: 7 }.classify();
}
