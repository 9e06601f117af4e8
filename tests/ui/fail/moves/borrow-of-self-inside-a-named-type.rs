use kit::*;

struct Row<'c>(&'c str);
struct Conn(String);

impl Conn {
    #[retry(policy = P, idempotent)]
    async fn row(&mut self) -> Result<Row<'_>, E> {
        self.0.clear();
        down(1).await?;
        Ok(Row(&self.0))
    }
}

fn main() {
    drop(Conn(String::new()).row());
}
