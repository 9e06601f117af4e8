use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient not_sent)]
    Connect,
}

fn main() {
    let _ = PayError::Connect.classify();
}
