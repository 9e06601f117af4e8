use kit::*;

macro_rules! endpoint {
    ($name:ident $body:block) => {
        #[retry(policy = P, idempotent)]
        async fn $name() -> Result<u32, E> $body
    };
}
endpoint!(read { down("one").await });

fn main() {
    drop(read());
}
