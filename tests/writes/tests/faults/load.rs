//! Many writes at a time, through faults, to a bank that is killed again and again.

use crate::fault::{Faults, Id};
use crate::network::{Network, Order};
use crate::process::Bank;
use crate::proxy::Proxy;
use retry_runtime::Stopped;
use retry_writes_tests::api::Receipt;
use retry_writes_tests::service::Keys;
use retry_writes_tests::store::charges_in;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How many writes are under way at the same time.
const AT_A_TIME: u32 = 32;

/// What is done, to what kind of bank, and how often that is killed meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub writes: u32,
    pub faults: Faults,
    pub keys: Keys,
    pub kills: u32,
}

/// What the clients were told, and what the table says.
pub struct Load {
    pub plan: Plan,
    pub written: Vec<Written>,
    pub table: HashMap<u32, Vec<Receipt>>,
    /// How often each request came to the proxy.
    pub seen: HashMap<Id, u32>,
    pub took: Duration,
}

/// One write, and how it ended.
pub struct Written {
    pub order: Order,
    pub result: Result<Receipt, Stopped>,
}

impl Plan {
    /// Carries it out with a write of this kind.
    pub async fn run<W, F>(self, write: W) -> Load
    where
        W: Fn(Arc<Network>, Arc<Order>) -> F + Clone + Send + 'static,
        F: Future<Output = Result<Receipt, Stopped>> + Send + 'static,
    {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("charges.sqlite");
        let mut bank = Bank::start(&file, self.keys).await;
        let proxy = Proxy::start(self.faults, bank.address()).await;
        let network = Arc::new(Network::new(self.faults, proxy.address));
        let began = Instant::now();
        let (progress, done) = watch::channel(0);
        let writers = self.start_writers(&network, &write, progress);
        self.kill_again_and_again(&mut bank, done).await;
        let written = writers.join_all().await.into_iter().flatten().collect();
        let took = began.elapsed();
        // Connections that wait to be used again end with their client.
        drop(network);
        let seen = proxy.drain().await;
        bank.kill().await;
        let table = by_order(charges_in(&file).unwrap());
        Load { plan: self, written, table, seen, took }
    }

    fn start_writers<W, F>(
        self,
        network: &Arc<Network>,
        write: &W,
        progress: watch::Sender<u32>,
    ) -> JoinSet<Vec<Written>>
    where
        W: Fn(Arc<Network>, Arc<Order>) -> F + Clone + Send + 'static,
        F: Future<Output = Result<Receipt, Stopped>> + Send + 'static,
    {
        let next = Arc::new(AtomicU32::new(1));
        let progress = Arc::new(progress);
        let mut writers = JoinSet::new();
        for _ in 0..AT_A_TIME {
            let (next, progress) = (Arc::clone(&next), Arc::clone(&progress));
            let (network, write) = (Arc::clone(network), write.clone());
            writers.spawn(async move {
                let mut written = Vec::new();
                loop {
                    let id = next.fetch_add(1, Relaxed);
                    if id > self.writes {
                        return written;
                    }
                    let order = Arc::new(Order::numbered(id));
                    let result = write(Arc::clone(&network), Arc::clone(&order)).await;
                    let order = Arc::into_inner(order).expect("the write has ended");
                    written.push(Written { order, result });
                    progress.send_modify(|done| *done += 1);
                }
            });
        }
        writers
    }

    /// Spread evenly over the writes.
    async fn kill_again_and_again(self, bank: &mut Bank, mut done: watch::Receiver<u32>) {
        for kill in 1..=self.kills {
            let due = u64::from(self.writes) * u64::from(kill) / u64::from(self.kills + 1);
            // The senders outlive the last write, so this ends.
            done.wait_for(|done| u64::from(*done) >= due).await.unwrap();
            bank.kill_and_restart().await;
        }
    }
}

fn by_order(charges: Vec<Receipt>) -> HashMap<u32, Vec<Receipt>> {
    let mut table: HashMap<u32, Vec<Receipt>> = HashMap::new();
    for charge in charges {
        table.entry(charge.order).or_default().push(charge);
    }
    table
}
