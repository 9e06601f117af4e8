use kit::*;

#[retry(policy = P, idempotent)]
async fn read(id: u32, name: impl AsRef<str>) -> Result<u32, E> {
    down(id + name.as_ref().len() as u32).await
}

fn main() {
    drop(read("one", "two"));
    drop(read(1, 2));
}
