use kit::*;

pub struct C;

#[retry(policy = P, idempotent)]
unsafe impl Send for C {}

fn main() {
    assert_send(C);
}
