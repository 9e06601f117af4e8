#![deny(warnings)]
use kit::*;
use std::rc::Rc;

struct Local {
    id: u32,
}

impl Local {
    #[retry(policy = P, idempotent)]
    async fn read(self: Rc<Self>) -> Result<u32, E> {
        let same = Rc::clone(&self);
        let answer = down(same.id).await?;
        Ok(answer + same.id)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(Rc::new(Local { id: 2 }).read().await, Ok(9));
    assert_eq!(calls(), [2, 2]);
}
