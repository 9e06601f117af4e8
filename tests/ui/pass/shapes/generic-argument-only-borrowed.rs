#![deny(warnings)]
use kit::*;

struct NotClone(&'static str);

impl AsRef<str> for NotClone {
    fn as_ref(&self) -> &str {
        self.0
    }
}

#[retry(policy = P, idempotent)]
async fn get<T: AsRef<str>>(name: T) -> Result<u32, E> {
    down(name.as_ref().len() as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!(get(NotClone("abc")).await, Ok(7));
    assert_eq!(get(String::from("ab")).await, Ok(8));
    assert_eq!(calls(), [3, 3, 2, 2]);
}
