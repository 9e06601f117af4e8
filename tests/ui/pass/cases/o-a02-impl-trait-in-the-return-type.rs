#![deny(warnings)]
use kit::*;

macro_rules! page {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        pub async fn $name(from: u32) -> Result<impl Iterator<Item = u32> + Send, E> {
            let n = down(from).await?;
            let pad = [0u8; 8192];
            down(pad.len() as u32).await?;
            Ok((0..n).map(move |i| i + from))
        }
    };
}
page!(
    #[retry(policy = P, idempotent)]
    page
);
page!(plain);

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let (retried, plain) = (size_of_val(&page(3)), size_of_val(&plain(3)));
    assert!(retried <= plain + 2 * size_of::<u32>() + 1024, "{retried} against {plain}");
    script([Err(E(1)), Ok(2), Ok(0)]);
    assert_eq!(page(3).await.map(Iterator::collect::<Vec<_>>), Ok(vec![3, 4]));
    assert_eq!(calls(), [3, 3, 8192]);
}
