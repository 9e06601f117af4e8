use kit::*;

#[retry(policy = P, idempotent, clone(a), clone(b))]
async fn read(a: String, b: String) -> Result<u32, E> {
    down((a + &b).len() as u32).await
}

fn main() {
    drop(read("a".into(), "b".into()));
}
