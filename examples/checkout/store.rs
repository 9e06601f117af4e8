//! The charges of the payment server, in a database file.

use crate::api::{NewCharge, Receipt};
use rusqlite::{Connection, OptionalExtension, Row};
use std::path::Path;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// A key may stand in one row only; rows without a key are as many as there are requests.
const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE charges (
        id INTEGER PRIMARY KEY,
        order_id INTEGER NOT NULL,
        cents INTEGER NOT NULL,
        idempotency_key TEXT UNIQUE
    );
    CREATE INDEX charges_by_order ON charges (order_id);
";

const INSERT: &str = "
    INSERT INTO charges (order_id, cents, idempotency_key) VALUES (?1, ?2, ?3)
    ON CONFLICT (idempotency_key) DO NOTHING";
const BY_ID: &str = "SELECT id, order_id, cents FROM charges WHERE id = ?1";
const BY_KEY: &str = "SELECT id, order_id, cents FROM charges WHERE idempotency_key = ?1";
const BY_ORDER: &str =
    "SELECT id, order_id, cents FROM charges WHERE order_id = ?1 ORDER BY id LIMIT 1";
const ALL: &str = "SELECT id, order_id, cents FROM charges";

/// What became of a charge.
pub(crate) enum Charged {
    Now(Receipt),
    /// A charge with this key was there already.
    Before(Receipt),
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the database failed")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the thread of the database cannot start")]
    Start(#[from] std::io::Error),
    #[error("the thread of the database has ended")]
    Ended,
}

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The way to the one thread that has the file open, so that no async worker waits for a disk.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// The thread ends when the last clone of the store is dropped.
    pub(crate) fn open(file: &Path) -> Result<(Self, JoinHandle<()>), StoreError> {
        let connection = Connection::open(file)?;
        connection.execute_batch(SCHEMA)?;
        let (jobs, queue) = mpsc::channel::<Job>();
        let work = move || queue.into_iter().for_each(|job| job(&connection));
        let thread = thread::Builder::new().name("charges".to_owned()).spawn(work)?;
        Ok((Self { jobs }, thread))
    }

    /// Charges once per key. The row is committed when this returns.
    pub(crate) async fn charge(
        &self,
        charge: NewCharge,
        key: Option<String>,
    ) -> Result<Charged, StoreError> {
        self.run(move |connection| {
            let parameters = (charge.order, charge.cents, &key);
            if connection.execute(INSERT, parameters)? > 0 {
                let id = connection.last_insert_rowid();
                return connection.query_row(BY_ID, [id], receipt).map(Charged::Now);
            }
            connection.query_row(BY_KEY, [&key], receipt).map(Charged::Before)
        })
        .await
    }

    /// The first charge of an order.
    pub(crate) async fn find(&self, order: u32) -> Result<Option<Receipt>, StoreError> {
        self.run(move |connection| connection.query_row(BY_ORDER, [order], receipt).optional())
            .await
    }

    /// Every charge, after all that was asked for earlier.
    pub(crate) async fn all(&self) -> Result<Vec<Receipt>, StoreError> {
        self.run(|connection| connection.prepare(ALL)?.query_map([], receipt)?.collect()).await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let job = move |connection: &Connection| {
            // Nobody waits any more where the client has hung up; the work is done all the same.
            let _ = answer.send(work(connection));
        };
        self.jobs.send(Box::new(job)).map_err(|_| StoreError::Ended)?;
        Ok(result.await.map_err(|_| StoreError::Ended)??)
    }
}

fn receipt(row: &Row<'_>) -> rusqlite::Result<Receipt> {
    Ok(Receipt { charge: row.get(0)?, order: row.get(1)?, cents: row.get(2)? })
}
