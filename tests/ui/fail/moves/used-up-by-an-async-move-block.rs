use kit::*;

#[retry(policy = P, idempotent)]
async fn put(name: String) -> Result<u32, E> {
    let task = async move { down(name.len() as u32).await };
    task.await
}

fn main() {
    drop(put(String::new()));
}
