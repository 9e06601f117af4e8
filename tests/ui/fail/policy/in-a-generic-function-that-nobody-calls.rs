use kit::*;

struct Client<T>(T);

impl<T: AsRef<str>> Client<T> {
    #[retry(policy = P.max_attempts(0), idempotent)]
    pub async fn read<const N: usize>(&self) -> Result<u32, E> {
        down(self.0.as_ref().len() as u32).await
    }
}

fn main() {}
