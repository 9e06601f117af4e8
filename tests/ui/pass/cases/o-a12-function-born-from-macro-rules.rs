#![deny(warnings, missing_docs)]
//! A macro that writes an endpoint.
use kit::*;

macro_rules! endpoint {
    ($p:expr; $(#[$m:meta])* $v:vis $name:ident<$n:literal>($($a:ident: $t:ty),*) -> $r:ty $body:block) => {
        $(#[$m])*
        #[retry(policy = $p, idempotent)]
        $v async fn $name<const K: usize>($($a: $t),*, _w: [u8; { $n + 1 }]) -> $r $body
    };
}
endpoint!(P; /** Doc. */ pub get<2>(id: u32, tag: &str) -> Result<u32, E> {
    down(id + tag.len() as u32).await
});

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(get::<7>(1, "ab", [0; 3]).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}
