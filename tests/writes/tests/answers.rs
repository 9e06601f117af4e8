//! What a server answers around keys, over real HTTP.

use axum::extract::Request;
use axum::middleware::{self, Next};
use http::{HeaderMap, StatusCode};
use reqwest::Client;
use retry_runtime::wire::{HttpError, RequestExt, ResponseExt};
use retry_runtime::{Budget, Downstream, Error, IdempotencyKey, Outcome, Policy, Reason, retry};
use retry_writes_tests::api::{NewCharge, Receipt};
use retry_writes_tests::service::{Keys, router};
use retry_writes_tests::store::{Store, charges_in};
use rusqlite::Connection;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Many attempts, so that a write in progress has all the time that it needs.
const PATIENT: Policy = Policy::exponential(Duration::from_millis(5), Duration::from_millis(50))
    .max_attempts(1_000)
    .attempt_timeout(Duration::from_secs(20))
    .deadline(Duration::from_secs(50))
    .cut_by_deadline();

#[retry(
    policy = PATIENT,
    idempotency_key = key,
    allow(key_unused = "sent by the client layer"),
    downstream = bank.downstream,
)]
async fn charge(
    bank: &Bank,
    key: &IdempotencyKey,
    cents: u32,
) -> Result<Receipt, Error<HttpError>> {
    let reply = bank.post(cents).send_in_scope().await?;
    Ok(reply.checked().await?.json().await?)
}

/// The key of each request as it stood in the header, and what was answered.
type Log = Arc<Mutex<Vec<(Option<String>, StatusCode)>>>;

/// A bank in this process, and the keys and answers that went by.
struct Bank {
    http: Client,
    url: String,
    log: Log,
    downstream: Downstream,
    directory: TempDir,
}

impl Bank {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("charges.sqlite")).unwrap();
        let log = Log::default();
        let logged = Arc::clone(&log);
        let app = router(store, Keys::Honoured).layer(middleware::from_fn(
            move |request: Request, next: Next| {
                let logged = Arc::clone(&logged);
                async move {
                    let key = key_in(request.headers());
                    let answer = next.run(request).await;
                    logged.lock().unwrap().push((key, answer.status()));
                    answer
                }
            },
        ));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}/charges", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let http = Client::builder().no_proxy().build().unwrap();
        let budget = Budget::ratio(1.0).per_second(1000);
        let downstream = Downstream::new("bank").budget(budget);
        Self { http, url, log, downstream, directory }
    }

    fn post(&self, cents: u32) -> reqwest::RequestBuilder {
        self.http.post(&self.url).json(&NewCharge { order: 1, cents, generation: 0 })
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("charges.sqlite")
    }

    fn answers(&self) -> Vec<u16> {
        self.log.lock().unwrap().iter().map(|(_, status)| status.as_u16()).collect()
    }

    async fn wait_for(&self, times: usize, status: u16) {
        let seen = || self.answers().iter().filter(|answer| **answer == status).count();
        while seen() < times {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

fn key_in(headers: &HeaderMap) -> Option<String> {
    Some(headers.get("idempotency-key")?.to_str().ok()?.to_owned())
}

fn key() -> IdempotencyKey {
    IdempotencyKey::of("charge", 1).unwrap()
}

fn status_of(error: &Error<HttpError>) -> u16 {
    match error.last() {
        Some(HttpError::Status(status)) => status.status().as_u16(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_write_that_is_in_progress_is_tried_again_later_with_the_same_key() {
    let bank = Bank::start().await;
    // Nobody else can write while this transaction is open.
    let lock = Connection::open(bank.file()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let send = || tokio::spawn(bank.post(100).header("idempotency-key", "\"charge:1\"").send());
    // One of the two is in progress, and the other is told so.
    let others = [send(), send()];
    bank.wait_for(1, 409).await;
    let key = key();
    let release = async {
        bank.wait_for(3, 409).await;
        lock.execute_batch("ROLLBACK").unwrap();
    };
    let (receipt, ()) = tokio::join!(charge(&bank, &key, 100), release);
    let receipt = receipt.unwrap();
    for other in others {
        let answer = other.await.unwrap().unwrap();
        if answer.status() == StatusCode::CREATED {
            assert_eq!(answer.json::<Receipt>().await.unwrap(), receipt);
        }
    }
    assert_eq!(charges_in(&bank.file()).unwrap(), [receipt]);
    let log = bank.log.lock().unwrap();
    assert!(log.iter().all(|(key, _)| key.as_deref() == Some("\"charge:1\"")), "{log:?}");
}

#[tokio::test]
async fn a_key_with_another_payload_is_refused_and_never_tried_again() {
    let bank = Bank::start().await;
    charge(&bank, &key(), 100).await.unwrap();
    let error = charge(&bank, &key(), 200).await.unwrap_err();
    assert_eq!((status_of(&error), error.attempts()), (422, 1));
    assert_eq!((error.reason(), error.outcome()), (Reason::NotRetryable, Outcome::NotApplied));
    assert_eq!(bank.answers(), [201, 422]);
}

#[tokio::test]
async fn a_missing_key_is_refused_and_never_tried_again() {
    #[retry(policy = PATIENT, idempotency_key = key, allow(key_unused = "forgotten on purpose"))]
    async fn forget(bank: &Bank, key: &IdempotencyKey) -> Result<Receipt, Error<HttpError>> {
        Ok(bank.post(100).send().await?.checked().await?.json().await?)
    }
    let bank = Bank::start().await;
    let error = forget(&bank, &key()).await.unwrap_err();
    assert_eq!((status_of(&error), error.attempts()), (400, 1));
    assert_eq!(error.outcome(), Outcome::NotApplied);
    assert_eq!(bank.answers(), [400]);
}

#[tokio::test]
async fn a_key_of_any_printable_text_arrives_as_it_is() {
    let bank = Bank::start().await;
    let key = IdempotencyKey::new(" quote \" and backslash \\ ").unwrap();
    let receipt = charge(&bank, &key, 100).await.unwrap();
    assert_eq!(bank.log.lock().unwrap()[0].0.as_deref(), Some(r#"" quote \" and backslash \\ ""#));
    assert_eq!(charge(&bank, &key, 100).await.unwrap(), receipt);
    let stored: String = Connection::open(bank.file())
        .unwrap()
        .query_row("SELECT idempotency_key FROM charges", [], |row| row.get(0))
        .unwrap();
    assert_eq!((stored.as_str(), bank.answers()), (key.as_str(), vec![201, 200]));
}
