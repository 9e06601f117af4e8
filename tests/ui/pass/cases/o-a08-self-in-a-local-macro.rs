#![deny(warnings)]
use kit::*;

pub struct Conn {
    pub id: u32,
    pub hits: u32,
}

impl Conn {
    #[retry(policy = P, idempotent)]
    pub async fn read(&mut self) -> Result<u32, E> {
        macro_rules! id {
            () => {
                self.id
            };
        }
        self.hits += 1;
        println!("{}", self.hits);
        down(id!()).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut conn = Conn { id: 6, hits: 0 };
    script([Err(E(1)), Err(E(2)), Ok(5)]);
    assert_eq!(conn.read().await, Ok(5));
    assert_eq!((conn.hits, calls()), (3, vec![6, 6, 6]));
}
