#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent, allow(mutable_parameter = "each attempt clears it first"))]
async fn read_into(page: u32, rows: &mut Vec<u32>) -> Result<(), E> {
    rows.clear();
    rows.push(down(page).await?);
    rows.push(down(page + 1).await?);
    Ok(())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut rows = Vec::new();
    script([Ok(7), Err(E(1)), Ok(7), Ok(8)]);
    assert_eq!(read_into(3, &mut rows).await, Ok(()));
    assert_eq!(rows, [7, 8]);
    assert_eq!(calls(), [3, 4, 3, 4]);
}
