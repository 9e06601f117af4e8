use kit::*;

#[retry(policy = P, idempotent)]
const READS: u32 = 3;

fn main() {
    let _ = READS;
}
