#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Class, Error, retry};

struct Http;

impl Http {
    async fn post(&self, query: String) -> Result<u32, E> {
        down(query.len() as u32).await
    }
}

// Errors of a GraphQL server come with status 200: 0 stands for one without a code.
fn class(error: &E) -> Class {
    match error.0 {
        500.. => Class::TRANSIENT,
        429 => Class::THROTTLED,
        _ => Class::PERMANENT,
    }
}

#[retry(
    policy = P,
    idempotent = "a query, not a mutation: only its transport is a POST",
    classify = class,
    clone(variables)
)]
async fn query(http: &Http, text: &str, variables: String) -> Result<u32, Error<E>> {
    http.post([text, &variables].concat())
        .await
        .map(|answer| answer + variables.into_bytes().len() as u32)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(429)), Ok(1), Err(E(0))]);
    assert_eq!(query(&Http, "{ me }", "{}".into()).await, Ok(3));
    assert_eq!(query(&Http, "{ me }", "{}".into()).await.unwrap_err().attempts(), 1);
    assert_eq!(calls(), [8, 8, 8]);
}
