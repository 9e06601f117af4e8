use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient, notsent)]
    Connect,
}

fn main() {
    let _ = PayError::Connect.classify();
}
