//! O-A07: the runtime by another name, and through another crate.

use kit::{E, calls, down, script};
use rr::Policy;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::process::Command;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

const TWICE: Policy = Policy::immediate().deadline(Duration::from_secs(60));

#[rr::retry(crate = rr, policy = TWICE, idempotent)]
async fn by_another_name() -> Result<u32, E> {
    down(1).await
}

pub mod facade {
    pub mod private {
        pub use rr as runtime;
    }
}

#[facade::private::runtime::retry(
    crate = facade::private::runtime,
    policy = TWICE,
    idempotent,
    downstream = facade::private::runtime::Downstream::new("quotes")
)]
async fn by_a_path() -> Result<u32, facade::private::runtime::Error<ReadError>> {
    Ok(down(2).await?)
}

#[derive(Debug, rr::Classify)]
#[classify(crate = facade::private::runtime)]
enum ReadError {
    #[classify(inherit)]
    Down(E),
}

impl From<E> for ReadError {
    fn from(error: E) -> Self {
        Self::Down(error)
    }
}

/// Compiled by the last test alone, which reads what is said of it.
#[cfg(forgotten)]
#[rr::retry(policy = TWICE, idempotent)]
async fn without_its_path() -> Result<u32, E> {
    down(3).await
}

/// Polls without a runtime: a retry without a wait needs none.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

#[test]
fn o_a07_the_crate_may_have_another_name() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(block_on(by_another_name()), Ok(7));
    assert_eq!(calls(), [1, 1]);
}

#[test]
fn o_a07_the_crate_may_be_reached_by_a_path() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(block_on(by_a_path()).unwrap(), 7);
    assert_eq!(calls(), [2, 2]);
    script([]);
    let Some(ReadError::Down(error)) = block_on(by_a_path()).unwrap_err().into_last() else {
        panic!("the last error is kept");
    };
    assert_eq!(error, E(503));
}

#[test]
fn o_a07_without_its_path_there_is_one_error_at_the_attribute() {
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--offline", "--profile=check", "--test=renamed", "--message-format=json"])
        .args(["--", "--cfg", "forgotten"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints"))
        .output()
        .expect("cargo runs");
    let messages = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let messages = messages.lines().map(|line| -> serde_json::Value {
        serde_json::from_str(line).expect("cargo writes a JSON object a line")
    });
    let errors: Vec<_> = messages
        .map(|message| message["message"].clone())
        .filter(|message| message["level"] == "error" && message["spans"][0].is_object())
        .collect();
    let [error] = errors.as_slice() else { panic!("not one error: {errors:#?}") };
    let place = &error["spans"][0]["text"][0]["text"];
    assert_eq!(place, "#[rr::retry(policy = TWICE, idempotent)]");
    let sentence = error["message"].as_str().unwrap();
    assert!(sentence.contains("`retry-runtime`") && sentence.contains("crate ="), "{sentence}");
}
