use kit::*;

#[retry(policy = P, idempotent)]
mod client {
    pub fn read() {}
}

fn main() {
    client::read();
}
