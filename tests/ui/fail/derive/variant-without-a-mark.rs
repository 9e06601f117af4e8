use retry_runtime::Classify;

#[derive(Debug, Classify)]
enum PayError {
    #[classify(transient)]
    Lost,
    Declined {
        code: u16,
    },
}

fn main() {
    let _ = PayError::Declined { code: 1 }.classify();
}
