use kit::*;

async fn ship(text: String) -> Result<u32, E> {
    down(text.len() as u32).await
}

#[retry(policy = P, idempotent)]
async fn send(head: String, tail: String) -> Result<u32, E> {
    ship(head).await?;
    ship(tail).await
}

fn main() {
    drop(send(String::new(), String::new()));
}
