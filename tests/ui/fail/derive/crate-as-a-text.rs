use retry_runtime::Classify;

#[derive(Debug, Classify)]
#[classify(crate = "retry_runtime")]
enum PayError {
    #[classify(transient)]
    Lost,
}

fn main() {
    let _ = PayError::Lost.classify();
}
