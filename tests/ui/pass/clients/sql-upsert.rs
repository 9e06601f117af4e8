#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Connection {
    executed: u32,
}

impl Connection {
    async fn execute(&mut self, sql: &str, values: &[&str]) -> Result<u32, E> {
        self.executed += 1;
        down((sql.lines().count() + values.len()) as u32).await
    }
}

struct Settings {
    db: Connection,
}

impl Settings {
    #[retry(policy = P, idempotent)]
    async fn set(&mut self, name: &str, value: impl AsRef<str>) -> Result<(), Error<E>> {
        const UPSERT: &str = "INSERT INTO setting (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        let rows = self.db.execute(UPSERT, &[name, value.as_ref()]).await?;
        if rows == 1 { Ok(()) } else { Err(E(500)) }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut settings = Settings { db: Connection { executed: 0 } };
    script([Err(E(8006)), Ok(0), Ok(1)]);
    assert_eq!(settings.set("theme", String::from("dark")).await, Ok(()));
    assert_eq!((settings.db.executed, calls()), (3, vec![4, 4, 4]));
}
