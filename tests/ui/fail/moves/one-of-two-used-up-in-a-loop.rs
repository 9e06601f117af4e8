use kit::*;

#[retry(policy = P, idempotent, clone(head))]
async fn put(head: Vec<u32>, rows: Vec<u32>) -> Result<u32, E> {
    let mut sum = head.into_iter().sum();
    for row in rows {
        sum += down(row).await?;
    }
    Ok(sum)
}

fn main() {
    drop(put(vec![], vec![]));
}
