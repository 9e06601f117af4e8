use kit::*;

struct Conn {
    buf: String,
}

impl Conn {
    #[retry(policy = P, idempotent)]
    async fn line(&mut self) -> Result<&str, E> {
        self.buf.clear();
        down(1).await?;
        Ok(&self.buf)
    }
}

fn main() {
    drop(Conn { buf: String::new() }.line());
}
