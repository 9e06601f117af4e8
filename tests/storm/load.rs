//! How many clients a simulation takes.
//!
//! Ten thousand in every run; a million, with time and memory, by
//! `RETRY_STORM_CLIENTS=1000000 cargo test --release -p retry-tests --test storm -- --nocapture load`
//! under `/usr/bin/time -v`.

use crate::scene::{FIFTH, LOCKSTEP, THREE, down_for, head, millis, row, secs, with};
use retry_runtime::storm::{NO_BUDGET, Storm};
use std::time::Instant;

/// So many clients, and a hundredth and a tenth of them.
fn clients() -> u32 {
    std::env::var("RETRY_STORM_CLIENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000)
}

fn fail_together(clients: u32) {
    print!("{}", head());
    for (name, policy, budget) in
        [("full jitter, 0.2", THREE, FIFTH), ("lockstep, no budget", LOCKSTEP, NO_BUDGET)]
    {
        let begins = Instant::now();
        let storm = Storm::new(policy, down_for(millis(300))).clients(clients);
        let report = storm.run(with(budget)).unwrap();
        print!("{}", row(&format!("{clients} clients, {name}, {:.2?}", begins.elapsed()), &report));
        assert_eq!(report.most_in_flight, u64::from(clients));
        let sends = if budget == FIFTH { clients + clients / 5 } else { clients * 3 };
        assert_eq!(report.sends, u64::from(sends));
    }
}

#[test]
fn clients_fail_together() {
    for clients in [clients() / 100, clients() / 10, clients()] {
        fail_together(clients);
    }
}

#[test]
fn trees_of_three_layers_fail_together() {
    let begins = Instant::now();
    let storm = Storm::new(THREE, down_for(secs(60))).clients(clients()).layers(3);
    let report = storm.every_layer_retries().run(with(NO_BUDGET)).unwrap();
    let name = format!("3 layers, every layer retries, {:.2?}", begins.elapsed());
    print!("{}{}", head(), row(&name, &report));
    assert_eq!(report.sends, u64::from(clients()) * 27);
}

#[test]
fn clients_with_a_downstream_each_fail_together() {
    let begins = Instant::now();
    let storm = Storm::new(THREE, down_for(millis(300))).clients(clients()).downstream_each();
    let report = storm.run(with(FIFTH)).unwrap();
    print!("{}{}", head(), row(&format!("a downstream each, {:.2?}", begins.elapsed()), &report));
    assert_eq!(report.sends, u64::from(clients()), "a fifth of one call is no retry");
}
