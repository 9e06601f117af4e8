use retry_runtime::Classify;

#[derive(Debug, Classify)]
struct PayError(u16);

fn main() {
    let _ = PayError(1).classify();
}
