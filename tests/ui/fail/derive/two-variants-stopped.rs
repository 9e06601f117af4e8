use retry_runtime::{Classify, Stopped};

#[derive(Debug, Classify)]
enum PayError {
    #[classify(stopped)]
    TimedOut(Stopped),
    #[classify(stopped)]
    CircuitOpen(Stopped),
}

fn main() {
    let _ = |stopped| PayError::TimedOut(stopped).classify();
    let _ = PayError::CircuitOpen;
}
