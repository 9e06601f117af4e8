use kit::*;

pub struct Conn {
    pub rows: Vec<u32>,
}

impl Conn {
    #[retry(policy = P, idempotent)]
    pub async fn first(self: &mut Self) -> Result<(u32, Option<&mut u32>), E> {
        Ok((down(1).await?, self.rows.first_mut()))
    }
}

fn main() {
    drop(Conn { rows: vec![] }.first());
}
