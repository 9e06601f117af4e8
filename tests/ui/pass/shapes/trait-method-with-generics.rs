#![deny(warnings)]
use kit::*;

trait Store {
    type Key: ?Sized;
    async fn load<T: From<u32>>(&mut self, key: &Self::Key) -> Result<T, E>;
}

struct Disk {
    reads: u32,
}

impl Store for Disk {
    type Key = str;

    #[retry(policy = P, idempotent)]
    async fn load<T: From<u32>>(&mut self, key: &Self::Key) -> Result<T, E> {
        self.reads += 1;
        Ok(T::from(down(key.len() as u32).await?))
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut disk = Disk { reads: 0 };
    script([Err(E(1)), Ok(7)]);
    assert_eq!(disk.load::<u64>("abc").await, Ok(7));
    assert_eq!((disk.reads, calls()), (2, vec![3, 3]));
}
