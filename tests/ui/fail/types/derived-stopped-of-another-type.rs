use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(stopped)]
    Stopped(String),
}

fn main() {
    let _ = PayError::Stopped(String::new()).classify();
}
