use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient, not_sent, refused)]
    Connect,
}

fn main() {
    let _ = PayError::Connect.classify();
}
