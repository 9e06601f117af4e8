use kit::*;

#[retry(policy = P, idempotent)]
async fn read_into(page: u32, rows: &mut Vec<u32>) -> Result<(), E> {
    rows.push(down(page).await?);
    rows.push(down(page + 1).await?);
    Ok(())
}

fn main() {
    drop(read_into(1, &mut vec![]));
}
