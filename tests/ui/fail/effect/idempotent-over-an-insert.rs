use kit::*;

#[retry(policy = P, idempotent)]
async fn add(name: &str) -> Result<u32, E> {
    let sql = format!("INSERT INTO guest (name) VALUES ('{name}')");
    down(sql.len() as u32).await
}

fn main() {
    drop(add("you"));
}
