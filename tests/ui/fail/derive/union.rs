use retry_runtime::Classify;

#[derive(Clone, Copy, Classify)]
union PayError {
    code: u16,
}

impl std::fmt::Debug for PayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PayError")
    }
}

fn main() {
    let _ = PayError { code: 1 }.classify();
}
