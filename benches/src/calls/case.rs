//! One way to make a call, as often as asked.

use std::fmt;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::Poll;
use tokio::runtime::Runtime;
use tokio::task::unconstrained;

/// Calls that are made one after the other. Says whether all of them gave what they had to.
pub(super) type Series = Pin<Box<dyn Future<Output = bool>>>;

/// One way to make a call.
pub(super) struct Case {
    name: &'static str,
    size: usize,
    series: Box<dyn Fn(Drive, u32) -> Series>,
}

/// How calls are brought to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drive {
    /// By the runtime.
    Await,
    /// By hand, at once, so that the runtime's scheduler has no part in it.
    Poll,
}

impl Case {
    /// `make` prepares what makes the calls of a series.
    pub(super) fn new<C, F, E>(name: &'static str, make: impl Fn() -> C + 'static) -> Self
    where
        C: FnMut(u64) -> F + 'static,
        F: Future<Output = Result<u64, E>> + 'static,
        E: 'static,
    {
        let series = move |drive, calls| -> Series {
            match drive {
                Drive::Await => Box::pin(awaited(make(), calls)),
                Drive::Poll => Box::pin(polled(make(), calls)),
            }
        };
        Self { name, size: size_of::<F>(), series: Box::new(series) }
    }

    /// The same with all calls of a series inside something.
    pub(super) fn within(self, outer: impl Fn(Series) -> Series + 'static) -> Self {
        let inner = self.series;
        Self { series: Box::new(move |drive, calls| outer(inner(drive, calls))), ..self }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Of the future of one call, in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Makes so many calls, and says whether all of them worked.
    #[must_use]
    pub(super) fn repeat(&self, runtime: &Runtime, drive: Drive, calls: u32) -> bool {
        // Without tokio's cooperative budget, which would end a long series of polls by hand.
        runtime.block_on(unconstrained((self.series)(drive, calls)))
    }
}

async fn awaited<F, E>(mut call: impl FnMut(u64) -> F, calls: u32) -> bool
where
    F: Future<Output = Result<u64, E>>,
{
    let mut worked = true;
    for number in 0..u64::from(calls) {
        let result = call(black_box(number)).await;
        worked &= result.is_ok_and(|got| got == number);
    }
    worked
}

async fn polled<F, E>(mut call: impl FnMut(u64) -> F, calls: u32) -> bool
where
    F: Future<Output = Result<u64, E>>,
{
    let all = |context: &mut std::task::Context<'_>| {
        let mut worked = true;
        for number in 0..u64::from(calls) {
            let mut future = pin!(call(black_box(number)));
            let result = loop {
                if let Poll::Ready(result) = future.as_mut().poll(context) {
                    break result;
                }
            };
            worked &= result.is_ok_and(|got| got == number);
        }
        Poll::Ready(worked)
    };
    std::future::poll_fn(all).await
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Case").field(&self.name).finish()
    }
}
