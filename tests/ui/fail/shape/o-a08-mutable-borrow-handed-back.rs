use kit::*;

pub struct Conn {
    pub buf: String,
}

impl Conn {
    #[retry(policy = P, idempotent)]
    pub async fn fill(&mut self) -> Result<&mut String, E> {
        down(1).await?;
        Ok(&mut self.buf)
    }
}

fn main() {
    drop(Conn { buf: String::new() }.fill());
}
