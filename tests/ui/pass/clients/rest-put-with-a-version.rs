#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Stopped, retry};

#[derive(Debug, Classify)]
enum PutError {
    #[classify(permanent, refused)]
    Conflict { version: u16 },
    #[classify(transient)]
    Unavailable,
    #[classify(stopped)]
    Stopped(Stopped),
}

#[derive(Clone)]
struct Document {
    version: u16,
    text: String,
}

async fn put(id: &str, document: &Document) -> Result<(), PutError> {
    match down((id.len() + document.text.len()) as u32).await {
        Ok(_) => Ok(()),
        Err(E(412)) => Err(PutError::Conflict { version: document.version }),
        Err(E(_)) => Err(PutError::Unavailable),
    }
}

#[retry(policy = P, idempotent)]
async fn save(id: &str, mut document: Document) -> Result<u16, PutError> {
    document.version += 1;
    put(id, &document).await?;
    Ok(document.version)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let document = Document { version: 4, text: "text".into() };
    script([Err(E(502)), Err(E(502)), Ok(0), Err(E(412))]);
    assert_eq!(save("a", document.clone()).await.unwrap(), 5, "not 7");
    assert!(matches!(save("a", document).await, Err(PutError::Conflict { version: 5 })));
    assert_eq!(calls(), [5, 5, 5, 5]);
}
