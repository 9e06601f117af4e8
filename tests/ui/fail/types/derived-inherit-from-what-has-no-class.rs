use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(inherit)]
    Parse(std::num::ParseIntError),
}

fn main() {
    let _ = |error| PayError::Parse(error).classify();
}
