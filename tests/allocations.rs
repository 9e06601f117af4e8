//! The success path allocates nothing, and the future stays small.

use kit::{E, assert_send};
use retry_runtime::{Downstream, Error, Policy, retry};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

#[expect(unsafe_code, reason = "an allocator can be written in no other way")]
// SAFETY: every call is handed to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));
static PAYMENTS: Downstream = Downstream::new("payments");

#[retry(policy = CHECKOUT, idempotent, downstream = PAYMENTS)]
async fn ready(n: u64) -> Result<u64, Error<E>> {
    Ok(n + 1)
}

#[retry(policy = CHECKOUT, idempotent, downstream = PAYMENTS)]
async fn yields(n: u64) -> Result<u64, Error<E>> {
    tokio::task::yield_now().await;
    Ok(n + 1)
}

#[retry(policy = CHECKOUT, idempotency_key = key, downstream = PAYMENTS)]
async fn keyed(key: &str, n: u64) -> Result<u64, Error<E>> {
    let _ = key;
    tokio::task::yield_now().await;
    Ok(n + 1)
}

#[retry(policy = CHECKOUT, idempotent, downstream = PAYMENTS)]
async fn nested(n: u64) -> Result<u64, Error<Error<E>>> {
    yields(n).await
}

const KEY: &str = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";

/// Runs one call by hand, and counts what it allocates.
fn allocations<F: Future<Output = Result<u64, X>>, X>(call: impl Fn() -> F) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let _entered = runtime.enter();
    let mut context = Context::from_waker(Waker::noop());
    let mut run = || {
        let mut call = pin!(call());
        let before = ALLOCATIONS.get();
        let result = loop {
            if let Poll::Ready(result) = call.as_mut().poll(&mut context) {
                break result;
            }
        };
        assert_eq!(result.ok(), Some(2));
        ALLOCATIONS.get() - before
    };
    // The first call may set up thread-local state.
    run();
    (0..100).map(|_| run()).sum()
}

/// With the features `tracing` and `metrics`, to which nobody listens here.
#[test]
fn a_call_that_succeeds_allocates_nothing() {
    let _ = retry_runtime::observe::Metrics;
    assert!(tracing::dispatcher::get_default(
        |dispatch| dispatch.is::<tracing::subscriber::NoSubscriber>()
    ));
    assert_eq!(allocations(|| ready(1)), 0, "ready at once");
    assert_eq!(allocations(|| yields(1)), 0, "yields once, so that the timer is armed");
    assert_eq!(allocations(|| keyed(KEY, 1)), 0, "with an idempotency key");
    assert_eq!(allocations(|| nested(1)), 0, "inside another call");
}

#[test]
fn the_counter_counts() {
    let boxed = async || Ok::<_, E>(*std::hint::black_box(Box::new(2)));
    assert_eq!(allocations(boxed), 100);
}

/// A body that holds a kibibyte over an await.
macro_rules! body {
    () => {{
        let buffer = std::hint::black_box([1u8; 1024]);
        tokio::task::yield_now().await;
        Ok(u64::from(buffer[7]))
    }};
}

async fn plain_kibibyte() -> Result<u64, E> {
    body!()
}

#[retry(policy = CHECKOUT, idempotent, downstream = PAYMENTS)]
async fn kibibyte() -> Result<u64, E> {
    body!()
}

#[retry(policy = CHECKOUT, idempotency_key = KEY, downstream = PAYMENTS)]
async fn keyed_kibibyte() -> Result<u64, Error<E>> {
    let _ = KEY;
    body!()
}

#[test]
fn the_future_of_a_read_is_at_most_256_bytes_larger_than_the_plain_one() {
    let (plain, annotated) = (size_of_val(&plain_kibibyte()), size_of_val(&kibibyte()));
    println!("a body of a kibibyte: {plain} bytes plain, {annotated} annotated");
    assert!(annotated <= plain + 256);
}

/// The key is in the future, too.
#[test]
fn the_future_of_a_write_is_at_most_320_bytes_larger_than_the_plain_one() {
    let (plain, annotated) = (size_of_val(&plain_kibibyte()), size_of_val(&keyed_kibibyte()));
    println!("a body of a kibibyte: {plain} bytes plain, {annotated} annotated");
    assert!(annotated <= plain + 320);
}

#[test]
fn the_future_moves_between_threads_when_the_body_can() {
    assert_send(kibibyte());
    assert_send(keyed(KEY, 1));
    assert_send(nested(1));
}
