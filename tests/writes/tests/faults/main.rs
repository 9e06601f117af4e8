//! Writes through a network that fails, to a bank that is killed, and what is true afterwards.
//!
//! The full run, with 100,000 writes of each kind and twenty kills:
//!
//! ```sh
//! RETRY_WRITES=100000 cargo test --release -p retry-writes-tests --test faults -- --nocapture
//! ```
//!
//! `RETRY_SEED` is another number to draw the faults from; the default is 1.

mod client;
mod fault;
mod load;
mod message;
mod network;
mod process;
mod proxy;
mod tally;

use fault::{Fault, Faults};
use load::{Load, Plan, Written};
use network::{Network, Order};
use retry_runtime::{Outcome, Stopped};
use retry_writes_tests::api::Receipt;
use retry_writes_tests::service::Keys;
use std::sync::Arc;
use tally::{Tally, charges_met};
use tokio::sync::Mutex;

/// One run at a time: two would be late for reasons of their own.
static TURN: Mutex<()> = Mutex::const_new(());

fn number<N: std::str::FromStr>(name: &str, default: N) -> N {
    std::env::var(name).map_or(default, |text| text.parse().ok().expect("a number"))
}

fn plan(keys: Keys) -> Plan {
    let faults = Faults { seed: number("RETRY_SEED", 1), rate: 0.3 };
    Plan { writes: number("RETRY_WRITES", 2_000), faults, keys, kills: 0 }
}

impl Plan {
    /// Twenty times in a full run. In a short one every kill hits a good part of all writes, so that
    /// there are fewer.
    fn killing(self) -> Self {
        Self { kills: 20.min(self.writes / 200), ..self }
    }
}

async fn keyed(network: Arc<Network>, order: Arc<Order>) -> Result<Receipt, Stopped> {
    client::charge(&network, &order).await.map_err(|error| error.stopped())
}

async fn asked(network: Arc<Network>, order: Arc<Order>) -> Result<Receipt, Stopped> {
    client::charge_or_ask(&network, &order).await.map_err(|error| error.stopped())
}

async fn peeked(network: Arc<Network>, order: Arc<Order>) -> Result<Receipt, Stopped> {
    client::charge_or_peek(&network, &order).await.map_err(|error| error.stopped())
}

async fn asked_inside(network: Arc<Network>, order: Arc<Order>) -> Result<Receipt, Stopped> {
    client::check_out_or_ask(&network, &order).await.map_err(|error| error.stopped())
}

async fn once(network: Arc<Network>, order: Arc<Order>) -> Result<Receipt, Stopped> {
    client::charge_once(&network, &order).await.map_err(|error| error.stopped())
}

async fn once_inside(network: Arc<Network>, order: Arc<Order>) -> Result<Receipt, Stopped> {
    client::check_out(&network, &order).await.map_err(|error| error.stopped())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_key_nobody_is_charged_twice_and_what_the_client_says_is_true() {
    let _turn = TURN.lock().await;
    let load = plan(Keys::Honoured).run(keyed).await;
    Tally::of(&load).assert_true();
    assert_not_applied_only_where_nothing_was_sent(&load);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_key_the_same_holds_while_the_bank_is_killed_again_and_again() {
    let _turn = TURN.lock().await;
    let load = plan(Keys::Honoured).killing().run(keyed).await;
    Tally::of(&load).assert_true();
    assert_not_applied_only_where_nothing_was_sent(&load);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bank_that_ignores_keys_is_asked_and_charges_nobody_twice() {
    let _turn = TURN.lock().await;
    let load = plan(Keys::Ignored).killing().run(asked).await;
    Tally::of(&load).assert_true();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bank_is_asked_also_when_an_enclosing_call_tries_again() {
    let _turn = TURN.lock().await;
    let load = plan(Keys::Ignored).killing().run(asked_inside).await;
    Tally::of(&load).assert_true();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_tells_lost_answers_from_refused_connections() {
    let _turn = TURN.lock().await;
    let load = plan(Keys::Ignored).killing().run(once).await;
    Tally::of(&load).assert_true();
    for written in &load.written {
        let met: Vec<_> = charges_met(&load, written).collect();
        let [fault] = met[..] else { panic!("{met:?} for one attempt") };
        let outcome = written.result.as_ref().err().map(Stopped::outcome);
        match fault {
            // Unless it came too late; the tally looks at that.
            Some(fault) if fault.is_plain() => assert!(outcome.is_some(), "{fault:?}"),
            // In time or not, and the bank may be killed meanwhile.
            Some(fault) if fault.is_late() => assert_ne!(outcome, Some(Outcome::NotApplied)),
            Some(fault) => assert_eq!(outcome, Some(Outcome::Unknown), "{fault:?}"),
            None => assert_ne!(outcome, Some(Outcome::NotApplied)),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_is_sent_once_also_when_an_enclosing_call_tries_again() {
    let _turn = TURN.lock().await;
    let load = plan(Keys::Ignored).killing().run(once_inside).await;
    Tally::of(&load).assert_true();
    let mut tried_again = 0;
    for written in &load.written {
        let charges = charges_met(&load, written).count();
        assert!(charges <= 1, "{charges} charges were sent");
        let attempts = written.result.as_ref().err().map_or(1, Stopped::attempts);
        tried_again += u32::from(attempts > 1);
    }
    assert!(tried_again > 0, "no enclosing call tried again");
}

/// Without these two the tests above could be green because they do not look.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_check_finds_double_charges_where_the_bank_ignores_keys() {
    let _turn = TURN.lock().await;
    let load = Plan { writes: 2_000, ..plan(Keys::Ignored) }.run(keyed).await;
    let tally = Tally::of(&load);
    println!("{tally}");
    assert!(tally.twice > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_check_finds_double_charges_where_a_no_is_no_promise() {
    let _turn = TURN.lock().await;
    let load = Plan { writes: 2_000, ..plan(Keys::Ignored) }.run(peeked).await;
    let tally = Tally::of(&load);
    println!("{tally}");
    assert!(tally.twice > 0);
}

#[track_caller]
fn assert_not_applied_only_where_nothing_was_sent(load: &Load) {
    let is_not_applied = |written: &&Written| {
        written.result.as_ref().is_err_and(|stopped| stopped.outcome() == Outcome::NotApplied)
    };
    for written in load.written.iter().filter(is_not_applied) {
        let met: Vec<_> = charges_met(load, written).collect();
        assert!(met.iter().all(|fault| fault.is_some_and(Fault::is_plain)), "{met:?}");
    }
}
