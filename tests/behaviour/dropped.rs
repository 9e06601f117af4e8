//! A caller that goes away leaves nothing behind.

use crate::server::{Failure, Server, millis, secs};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::{Budget, Downstream, Error, Policy, Scope, retry};
use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::time::{advance, sleep, timeout};

const THREE: Policy = Policy::exponential(millis(20), millis(40))
    .max_attempts(3)
    .attempt_timeout(millis(30))
    .deadline(secs(1));

/// Counts the attempts that have come to their end, by themselves or cut.
#[derive(Default)]
struct Ends(Cell<u32>);

struct End<'e>(&'e Ends);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.0.set(self.0.0.get() + 1);
    }
}

#[retry(policy = THREE, idempotent, downstream = shared)]
async fn get(server: &Server, shared: &Downstream, ends: &Ends) -> Result<u32, Error<Failure>> {
    let _end = End(ends);
    let answer = server.get().await;
    tokio::task::yield_now().await;
    sleep(millis(3)).await;
    answer
}

const TENTH: f64 = 0.1;

/// The budget after a call is what it was, and what the call really did: a deposit if its first
/// attempt came to an end, a token for each retry that was really sent. Nothing stays reserved.
fn check(before: f64, shared: &Downstream, server: &Server, ends: u32) {
    let earned = if ends > 0 { TENTH } else { 0.0 };
    let spent = server.count().saturating_sub(1) as f64;
    let millionths = |tokens: f64| (tokens * 1e6).round() as i64;
    assert_eq!(millionths(shared.retry_tokens()), millionths(before + earned - spent));
    assert!(Scope::current().is_none());
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_drops_at_random_instants_leave_the_budget_as_it_was() {
    let mut random = StdRng::seed_from_u64(3);
    let shared = Downstream::new("shared").budget(Budget::ratio(TENTH));
    let healthy = Server::that_fails().then(Ok(1));
    let mut places = [0; 4];
    for _ in 0..10_000 {
        while shared.retry_tokens() < 3.0 {
            get(&healthy, &shared, &Ends::default()).await.unwrap();
        }
        let before = shared.retry_tokens();
        let server = Server::that_fails().after(millis(random.random_range(0..50)));
        let ends = Ends::default();
        let patience = Duration::from_micros(random.random_range(0..150_000));
        let mut call = Box::pin(get(&server, &shared, &ends));
        let whole = timeout(patience, call.as_mut()).await.is_ok();
        let ends = ends.0.get();
        drop(call);
        check(before, &shared, &server, ends);
        places[if whole { 3 } else { server.count() - 1 }] += 1;
    }
    assert!(places.iter().all(|n| *n > 500), "drops in attempts 1, 2, 3, and none: {places:?}");
}

/// Every await point, one after the other: the call is dropped after its nth poll.
#[tokio::test(start_paused = true)]
async fn a_drop_after_any_poll_leaves_the_budget_as_it_was() {
    let shared = Downstream::new("shared").budget(Budget::ratio(TENTH).per_second(9));
    let mut polls_of_a_whole_call = 0;
    for polls in 0.. {
        let before = shared.retry_tokens();
        let server = Server::that_fails().after(millis(5));
        let mut ended = false;
        {
            let ends = Ends::default();
            let mut call = pin!(get(&server, &shared, &ends));
            for _ in 0..polls {
                let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                if polled.is_ready() {
                    ended = true;
                    break;
                }
                assert!(Scope::current().is_none(), "between polls no attempt is in force");
                advance(millis(1)).await;
            }
        }
        let spent = server.count().saturating_sub(1) as f64;
        let after = shared.retry_tokens();
        assert!(after >= before - spent, "{polls} polls: {before} {after} {spent}");
        if ended {
            polls_of_a_whole_call = polls;
            break;
        }
    }
    assert!(polls_of_a_whole_call > 20);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_never_polled_does_nothing() {
    let shared = Downstream::new("shared").budget(Budget::ratio(TENTH).per_second(1));
    let server = Server::that_fails();
    drop(get(&server, &shared, &Ends::default()));
    assert_eq!((server.count(), shared.retry_tokens()), (0, 1.0));
}

/// A caller in its wait holds a token that others cannot take, and gives it back when it goes.
#[tokio::test(start_paused = true)]
async fn a_token_is_reserved_during_the_wait_and_returned_on_drop() {
    const PATIENT: Policy = Policy::exponential(secs(10), secs(10))
        .jitter(retry_runtime::Jitter::Equal)
        .max_attempts(2)
        .deadline(secs(60));
    #[retry(policy = PATIENT, idempotent, downstream = shared)]
    async fn get(server: &Server, shared: &Downstream) -> Result<u32, Error<Failure>> {
        server.get().await
    }
    let shared = Downstream::new("shared").budget(Budget::ratio(0.000_001).per_second(1));
    let (waiting, late) = (Server::that_fails(), Server::that_fails());
    let mut first = Box::pin(get(&waiting, &shared));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    let Poll::Ready(Err(error)) = pin!(get(&late, &shared)).poll(&mut context) else { panic!() };
    assert_eq!(error.reason(), retry_runtime::Reason::BudgetExhausted);
    assert!(shared.retry_tokens() < 0.1);
    drop(first);
    assert!(shared.retry_tokens() >= 1.0);
}

#[tokio::test(start_paused = true)]
async fn a_panic_gives_the_scope_and_the_token_back() {
    #[retry(policy = THREE, idempotent, downstream = shared)]
    async fn panics(
        shared: &Downstream,
        attempt: &std::sync::atomic::AtomicU32,
    ) -> Result<u32, Error<Failure>> {
        use std::sync::atomic::Ordering::Relaxed;
        let _ = shared;
        if attempt.fetch_add(1, Relaxed) == 0 {
            Err(Failure::Refused)
        } else {
            panic!("on purpose")
        }
    }
    let shared: &'static Downstream =
        Box::leak(Box::new(Downstream::new("shared").budget(Budget::ratio(TENTH).per_second(5))));
    let attempt = Box::leak(Box::default());
    let panicked = tokio::spawn(panics(shared, attempt)).await;
    assert!(panicked.unwrap_err().is_panic());
    assert!(Scope::current().is_none());
    let tokens = shared.retry_tokens();
    assert!((4.1..=4.6).contains(&tokens), "one retry was sent: {tokens}");
}
