#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Downstream, retry};
use std::sync::Arc;

#[derive(Debug, thiserror::Error, Classify)]
enum DbError {
    #[error("connection lost")]
    #[classify(transient, not_sent)]
    Connection,
    #[error("SQL state {0}")]
    #[classify(permanent)]
    State(u16),
}

struct Pool {
    downstream: Downstream,
}

impl Pool {
    async fn query<T: From<u32>>(&self, sql: &str, bind: &[u64]) -> Result<Vec<T>, DbError> {
        match down((sql.len() + bind.len()) as u32).await {
            Ok(row) => Ok(vec![T::from(row)]),
            Err(E(8006)) => Err(DbError::Connection),
            Err(E(state)) => Err(DbError::State(state)),
        }
    }
}

#[retry(policy = P, downstream = pool.downstream, idempotent)]
async fn balances(pool: Arc<Pool>, user: u64) -> Result<Vec<u64>, retry_runtime::Error<DbError>> {
    pool.query("SELECT cents FROM account WHERE id = $1", &[user]).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let pool = Arc::new(Pool { downstream: Downstream::new("db") });
    script([Err(E(8006)), Ok(250), Err(E(42))]);
    assert_eq!(balances(Arc::clone(&pool), 7).await.unwrap(), [250]);
    assert_eq!(balances(Arc::clone(&pool), 7).await.unwrap_err().attempts(), 1);
    assert_eq!(calls(), [40, 40, 40]);
}
