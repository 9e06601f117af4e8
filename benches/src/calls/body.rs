//! What the calls do: bodies that cost next to nothing, so that the rest is what is seen.

use retry_runtime::{Breaker, Budget, Classify, Downstream, FromStopped, Stopped};
use std::cell::Cell;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A failure without an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Classify)]
#[error("the service failed")]
#[classify(transient)]
pub(super) struct Failed;

/// What hand-written loops make of a timeout, too.
impl FromStopped for Failed {
    fn from_stopped(_: Stopped) -> Self {
        Self
    }
}

/// What every contender calls.
pub(super) trait Body: 'static {
    /// Gives the number back.
    fn run(number: u64) -> impl Future<Output = Result<u64, Failed>> + Send;

    /// Where calls of this project's go to.
    const SERVICE: &'static Downstream;
}

/// Succeeds at once.
pub(super) struct Ready;

/// The same with a kibibyte that lives over an await.
pub(super) struct Kibibyte;

/// Has to wait once, and says to nobody when it is over: it is polled by hand.
pub(super) struct YieldsOnce;

/// Fails twice, then succeeds.
pub(super) struct FailsTwice;

static HEALTHY: Downstream = Downstream::new("healthy").breaker(Breaker::consecutive(5));
/// Pays for two retries a call.
static FAILING: Downstream = Downstream::new("failing")
    .budget(Budget::ratio(1.0).per_second(1_000_000))
    .breaker(Breaker::consecutive(5));

#[inline(never)]
fn succeed(number: u64) -> Result<u64, Failed> {
    black_box(Ok(number))
}

impl Body for Ready {
    async fn run(number: u64) -> Result<u64, Failed> {
        succeed(number)
    }

    const SERVICE: &'static Downstream = &HEALTHY;
}

impl Body for Kibibyte {
    async fn run(number: u64) -> Result<u64, Failed> {
        let kibibyte = black_box([0_u8; 1024]);
        tokio::task::yield_now().await;
        black_box(&kibibyte);
        succeed(number)
    }

    const SERVICE: &'static Downstream = &HEALTHY;
}

impl Body for YieldsOnce {
    fn run(number: u64) -> impl Future<Output = Result<u64, Failed>> + Send {
        Yields { number, has_yielded: false }
    }

    const SERVICE: &'static Downstream = &HEALTHY;
}

struct Yields {
    number: u64,
    has_yielded: bool,
}

impl Future for Yields {
    type Output = Result<u64, Failed>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        if self.has_yielded {
            return Poll::Ready(succeed(self.number));
        }
        self.has_yielded = true;
        Poll::Pending
    }
}

thread_local! {
    /// How often the call that runs has failed.
    static FAILURES: Cell<u32> = const { Cell::new(0) };
}

impl Body for FailsTwice {
    async fn run(number: u64) -> Result<u64, Failed> {
        fail_twice(number)
    }

    const SERVICE: &'static Downstream = &FAILING;
}

#[inline(never)]
fn fail_twice(number: u64) -> Result<u64, Failed> {
    let failures = FAILURES.get();
    if failures < 2 {
        FAILURES.set(failures + 1);
        return black_box(Err(Failed));
    }
    FAILURES.set(0);
    black_box(Ok(number))
}
