use retry_runtime::Classify;

#[derive(Clone, Copy, Classify)]
union PayError {
    code: u16,
}

fn main() {
    let _ = PayError { code: 1 }.classify();
}
