use kit::*;

macro_rules! endpoint {
    ($name:ident, $policy:expr) => {
        #[retry(policy = $policy, idempotent)]
        async fn $name() -> Result<u32, E> {
            down(1).await
        }
    };
}
endpoint!(read, P.max_attempts(0));

fn main() {
    drop(read());
}
