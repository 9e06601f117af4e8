use kit::*;

async fn ship_url(u: String) -> Result<u32, E> {
    down(u.len() as u32).await
}

#[retry(policy = P, idempotent)]
pub async fn by_clone(url: String) -> Result<u32, E> {
    ship_url(url).await
}

fn main() {
    drop(by_clone(String::new()));
}
