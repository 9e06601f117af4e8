//! How much retries add to the load, and what they save, at several rates of failure.
//!
//! Sources: mbrooker/simulator_example `retry_sim/`, of which the numbers were computed anew (100
//! clients of 10 calls a second for 20 s, each of which fails with the same probability); Google's
//! "Site Reliability Engineering", chapters "Handling Overload" and "Addressing Cascading Failures".

use crate::dependency::{BROKEN, Failed, OK};
use crate::time::{DAY, millis};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::{Budget, Downstream, Error, Policy, Reason, retry};
use std::cell::{Cell, RefCell};

const CALLS: u32 = 20_000;

const ONCE: Policy = Policy::once().deadline(DAY);
const THREE: Policy = Policy::fixed(millis(1)).max_attempts(3).deadline(DAY);
const FOUR: Policy = THREE.max_attempts(4);

/// Fails at random, in the same way in each run, and whatever the load is.
struct Server {
    failure_rate: f64,
    random: RefCell<StdRng>,
    sends: Cell<u32>,
}

impl Server {
    fn that_fails(failure_rate: f64) -> Self {
        let random = RefCell::new(StdRng::seed_from_u64(1));
        Self { failure_rate, random, sends: Cell::new(0) }
    }

    async fn get(&self) -> Result<(), Failed> {
        self.sends.update(|sends| sends + 1);
        if self.random.borrow_mut().random_bool(self.failure_rate) { BROKEN } else { OK }
    }
}

#[retry(policy = ONCE, idempotent)]
async fn once(server: &Server) -> Result<(), Error<Failed>> {
    server.get().await
}

#[retry(policy = FOUR, idempotent, downstream = budget)]
async fn get(server: &Server, budget: &Downstream) -> Result<(), Error<Failed>> {
    server.get().await
}

/// The share of calls that succeed, and sends per call.
async fn shares(
    failure_rate: f64,
    call: impl AsyncFn(u32, &Server) -> Result<(), Error<Failed>>,
) -> (f64, f64) {
    let server = Server::that_fails(failure_rate);
    let mut successes = 0;
    for number in 0..CALLS {
        successes += u32::from(call(number, &server).await.is_ok());
    }
    let calls = f64::from(CALLS);
    (f64::from(successes) / calls, f64::from(server.sends.get()) / calls)
}

fn close(ours: (f64, f64), theirs: (f64, f64)) -> bool {
    (ours.0 - theirs.0).abs() <= 0.01 && (ours.1 - theirs.1).abs() <= 0.02
}

#[tokio::test(start_paused = true)]
async fn no_retries() {
    for (failure_rate, theirs) in [(0.05, 0.9499), (0.2, 0.7977), (0.5, 0.4976), (0.75, 0.2487)] {
        let ours = shares(failure_rate, async |_, server| once(server).await).await;
        assert!(close(ours, (theirs, 1.0)), "rate {failure_rate}: {ours:?}");
    }
}

/// Three retries for every call: a budget that is large enough for that is possible, if far from
/// the default.
#[tokio::test(start_paused = true)]
async fn three_retries() {
    for (failure_rate, theirs) in [
        (0.05, (1.0, 1.052)),
        (0.2, (0.9988, 1.253)),
        (0.5, (0.9379, 1.878)),
        (0.75, (0.6857, 2.721)),
    ] {
        let budget = Downstream::new("sim").budget(Budget::ratio(1.0).per_second(1_000_000));
        let ours = shares(failure_rate, async |_, server| get(server, &budget).await).await;
        assert!(close(ours, theirs), "rate {failure_rate}: {ours:?}");
    }
}

/// The token bucket: a tenth of a token for each call, one for each retry. Theirs is one of five
/// tokens for each client and full at the start, ours is shared and starts with nothing: 500 retries
/// less in 20,000 calls, which is what the two columns differ by where the budget is used up.
#[tokio::test(start_paused = true)]
async fn a_tenth_of_the_calls() {
    for (failure_rate, theirs, ours) in [
        (0.05, (0.9998, 1.053), (0.9998, 1.053)),
        (0.2, (0.8992, 1.117), (0.88, 1.1)),
        (0.5, (0.5625, 1.121), (0.55, 1.1)),
        (0.75, (0.2781, 1.122), (0.275, 1.1)),
    ] {
        let budget = Downstream::new("sim").budget(Budget::ratio(0.1));
        let shares = shares(failure_rate, async |_, server| get(server, &budget).await).await;
        assert!(close(shares, ours), "rate {failure_rate}: {shares:?}");
        let full_at_first = f64::from(100 * 5) / f64::from(CALLS);
        let less = (theirs.1 - ours.1, theirs.0 - ours.0);
        assert!((0.0..=full_at_first).contains(&less.0) && (0.0..=0.02).contains(&less.1));
    }
}

/// The same load at a failure rate of one half, from more and more clients that share nothing. A
/// bucket that is full at the start leaks; one that starts with nothing does not.
#[tokio::test(start_paused = true)]
async fn many_clients_with_a_budget_each() {
    for (clients, theirs) in [(10, 1.104), (100, 1.141), (1_000, 1.456)] {
        let budget = |_| Downstream::new("sim").budget(Budget::ratio(0.1));
        let budgets: Vec<_> = (0..clients).map(budget).collect();
        let (_, load) = shares(0.5, async |number, server| {
            get(server, &budgets[number as usize % budgets.len()]).await
        })
        .await;
        assert!(load > 1.05 && load <= 1.1 && load < theirs, "{clients} clients: {load}");
    }
}

/// SRE: at most three attempts for a request, and at most 10 % retries for a client.
#[tokio::test(start_paused = true)]
async fn three_attempts_and_a_tenth_for_a_client_that_always_fails() {
    #[retry(policy = THREE, idempotent, downstream = budget)]
    async fn get(server: &Server, budget: &Downstream) -> Result<(), Error<Failed>> {
        server.get().await
    }
    let budget = Downstream::new("sim").budget(Budget::ratio(0.1));
    let shares = shares(1.0, async |_, server| get(server, &budget).await).await;
    assert_eq!(shares, (0.0, 1.1));
}

/// SRE: three layers of four attempts are 64 requests to the lowest. Here one layer retries.
#[tokio::test(start_paused = true)]
async fn three_layers_of_four_attempts() {
    #[retry(policy = FOUR, idempotent)]
    async fn leaf(server: &Server) -> Result<(), Error<Failed>> {
        server.get().await
    }
    #[retry(policy = FOUR, idempotent)]
    async fn middle(server: &Server) -> Result<(), Error<Error<Failed>>> {
        leaf(server).await
    }
    #[retry(policy = FOUR, idempotent)]
    async fn front(server: &Server) -> Result<(), Error<Error<Error<Failed>>>> {
        middle(server).await
    }
    let server = Server::that_fails(1.0);
    assert_eq!(front(&server).await.unwrap_err().reason(), Reason::AttemptLimit);
    assert_eq!(server.sends.get(), 4);
}
