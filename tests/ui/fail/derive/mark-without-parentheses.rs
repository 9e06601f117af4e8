use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify]
    Lost,
}

fn main() {
    let _ = PayError::Lost.classify();
}
