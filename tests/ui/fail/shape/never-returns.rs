use kit::*;

#[retry(policy = P, idempotent)]
async fn serve() -> ! {
    loop {
        let _ = down(1).await;
    }
}

fn main() {
    drop(serve());
}
