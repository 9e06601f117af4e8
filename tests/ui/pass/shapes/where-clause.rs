#![deny(warnings)]
use kit::*;
use std::collections::HashMap;
use std::hash::Hash;

#[retry(policy = P, idempotent)]
async fn fill<K, V>(keys: &[K]) -> Result<HashMap<K, V>, E>
where
    K: Clone + Eq + Hash,
    V: From<u32>,
    for<'k> &'k K: Into<u32>,
{
    let mut map = HashMap::new();
    for key in keys {
        map.insert(key.clone(), down(key.into()).await?.into());
    }
    Ok(map)
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key(u32);

impl From<&Key> for u32 {
    fn from(key: &Key) -> Self {
        key.0
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Ok(8)]);
    let map = fill::<Key, u64>(&[Key(1), Key(2)]).await.unwrap();
    assert_eq!(map[&Key(2)], 8);
    assert_eq!(calls(), [1, 1, 2]);
}
