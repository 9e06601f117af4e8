//! One side of the comparison: a server of its own, and all orders placed with it.

use crate::api::Receipt;
use crate::client::Order;
use crate::faults::Faults;
use crate::options::Options;
use crate::placed::Placed;
use crate::transport::Transport;
use crate::wire::Wire;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many orders are placed at the same time.
const AT_A_TIME: usize = 64;

/// What one side did, and what the database says of it.
pub(crate) struct Load {
    /// By the number of the order.
    pub(crate) placed: Vec<(u32, Placed)>,
    pub(crate) charges: Vec<Receipt>,
    pub(crate) client: Arc<Transport>,
    pub(crate) faults: Arc<Faults>,
    pub(crate) took: Duration,
}

/// Places all orders by `place`.
pub(crate) async fn run<F>(
    options: &Options,
    place: impl Fn(Arc<Transport>, Order) -> F,
) -> Result<Load, Box<dyn Error>>
where
    F: Future<Output = Placed> + Send + 'static,
{
    let faults = Arc::new(Faults::new(options.seed, options.fault_rate));
    // Removed with all that is in it when this function ends.
    let directory = tempfile::tempdir()?;
    let wire = Wire::start(directory.path(), Arc::clone(&faults)).await?;
    let client = Arc::new(Transport::new(wire.address));
    let began = Instant::now();
    let mut placed = Vec::new();
    let mut under_way = JoinSet::new();
    for id in 1..=options.orders {
        if under_way.len() == AT_A_TIME {
            placed.extend(under_way.join_next().await.transpose()?);
        }
        let future = place(Arc::clone(&client), Order::numbered(id));
        under_way.spawn(async move { (id, future.await) });
    }
    while let Some(ended) = under_way.join_next().await {
        placed.push(ended?);
    }
    let took = began.elapsed();
    placed.sort_by_key(|(id, _)| *id);
    let charges = wire.stop().await?;
    directory.close()?;
    Ok(Load { placed, charges, client, faults, took })
}
