use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    Lost,
    #[classify(tranisent)]
    Busy,
    #[classify(permanent, refussed)]
    Declined,
}

fn main() {
    let _ = (PayError::Lost, PayError::Busy, PayError::Declined.classify());
}
