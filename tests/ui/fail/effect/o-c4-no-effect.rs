use kit::*;

pub struct Bank;

impl Bank {
    #[retry(policy = P)]
    pub async fn charge(&self, cents: u64) -> Result<u32, E> {
        down(cents as u32).await
    }
}

fn main() {
    drop(Bank.charge(250));
}
