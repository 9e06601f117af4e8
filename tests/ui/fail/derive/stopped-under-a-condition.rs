use retry_runtime::{Classify, Stopped};

#[derive(Debug, Classify)]
enum PayError {
    #[classify(stopped, when = _0.attempts() > 1)]
    #[classify(permanent)]
    Stopped(Stopped),
}

fn main() {
    let _ = |stopped| PayError::Stopped(stopped).classify();
}
