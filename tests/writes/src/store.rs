//! The charges, in a database file that outlives the process.

use crate::api::{Closing, NewCharge, Receipt};
use rusqlite::{Connection, OptionalExtension, Row};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use tokio::sync::oneshot;

/// A key may stand in one row only; rows without a key are as many as there are requests.
const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS charges (
        id INTEGER PRIMARY KEY,
        order_id INTEGER NOT NULL,
        cents INTEGER NOT NULL,
        idempotency_key TEXT UNIQUE
    );
    CREATE INDEX IF NOT EXISTS charges_by_order ON charges (order_id);
    CREATE TABLE IF NOT EXISTS closed (order_id INTEGER PRIMARY KEY, generation INTEGER NOT NULL);
";

const INSERT: &str = "
    INSERT INTO charges (order_id, cents, idempotency_key)
    SELECT ?1, ?2, ?3
    WHERE NOT EXISTS (SELECT 1 FROM closed WHERE order_id = ?1 AND generation >= ?4)
    ON CONFLICT (idempotency_key) DO NOTHING";
const CLOSE: &str = "
    INSERT INTO closed (order_id, generation) VALUES (?1, ?2)
    ON CONFLICT (order_id) DO UPDATE SET generation = max(generation, excluded.generation)";
const BY_ID: &str = "SELECT id, order_id, cents FROM charges WHERE id = ?1";
const BY_KEY: &str = "SELECT id, order_id, cents FROM charges WHERE idempotency_key = ?1";
const BY_ORDER: &str =
    "SELECT id, order_id, cents FROM charges WHERE order_id = ?1 ORDER BY id LIMIT 1";
const ALL: &str = "SELECT id, order_id, cents FROM charges";

/// What became of a charge.
#[derive(Debug)]
pub enum Charged {
    Now(Receipt),
    /// A charge with this key was there already.
    Before(Receipt),
    /// A question has closed its generation.
    Closed,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("the thread of the database cannot start: {0}")]
    Start(#[from] std::io::Error),
    #[error("the thread of the database has ended")]
    Ended,
}

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The way to the one thread that has the file open. What it was asked for it does, whether or not
/// anybody waits for the answer any more.
#[derive(Clone)]
pub struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// The thread ends when the last clone of the store is dropped.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be opened, or the thread not started.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open(file)?;
        connection.execute_batch(SCHEMA)?;
        let (jobs, queue) = mpsc::channel::<Job>();
        let work = move || queue.into_iter().for_each(|job| job(&connection));
        thread::Builder::new().name("charges".to_owned()).spawn(work)?;
        Ok(Self { jobs })
    }

    /// Charges once per key. The row is committed when this returns.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database fails.
    pub async fn charge(
        &self,
        charge: NewCharge,
        key: Option<String>,
    ) -> Result<Charged, StoreError> {
        self.run(move |connection| {
            let parameters = (charge.order, charge.cents, &key, charge.generation);
            if connection.execute(INSERT, parameters)? > 0 {
                let id = connection.last_insert_rowid();
                return connection.query_row(BY_ID, [id], receipt).map(Charged::Now);
            }
            let before = connection.query_row(BY_KEY, [&key], receipt).optional()?;
            Ok(before.map_or(Charged::Closed, Charged::Before))
        })
        .await
    }

    /// The charge of an order; if there is none, none will be made, as [`Closing`] says.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database fails.
    pub async fn close(&self, order: u32, closing: Closing) -> Result<Option<Receipt>, StoreError> {
        self.run(move |connection| {
            let found = connection.query_row(BY_ORDER, [order], receipt).optional()?;
            if found.is_none() {
                connection.execute(CLOSE, (order, closing.generation))?;
            }
            Ok(found)
        })
        .await
    }

    /// The charge of an order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database fails.
    pub async fn find(&self, order: u32) -> Result<Option<Receipt>, StoreError> {
        self.run(move |connection| connection.query_row(BY_ORDER, [order], receipt).optional())
            .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, result) = oneshot::channel();
        let job = move |connection: &Connection| drop(answer.send(work(connection)));
        self.jobs.send(Box::new(job)).map_err(|_| StoreError::Ended)?;
        Ok(result.await.map_err(|_| StoreError::Ended)??)
    }
}

/// Every charge in a file that no store has open.
///
/// # Errors
///
/// [`StoreError`] if the file cannot be read.
pub fn charges_in(file: &Path) -> Result<Vec<Receipt>, StoreError> {
    let connection = Connection::open(file)?;
    let mut all = connection.prepare(ALL)?;
    Ok(all.query_map([], receipt)?.collect::<Result<_, _>>()?)
}

fn receipt(row: &Row<'_>) -> rusqlite::Result<Receipt> {
    Ok(Receipt { charge: row.get(0)?, order: row.get(1)?, cents: row.get(2)? })
}
