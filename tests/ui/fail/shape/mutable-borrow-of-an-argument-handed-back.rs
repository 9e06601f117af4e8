use kit::*;

#[retry(policy = P, idempotent, allow(mutable_parameter = "it only grows"))]
async fn fill(buf: &mut Vec<u32>) -> Result<&mut u32, E> {
    buf.push(down(1).await?);
    Ok(&mut buf[0])
}

fn main() {
    drop(fill(&mut vec![]));
}
