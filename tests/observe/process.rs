//! The observer of a whole process, in a process of its own.

#[path = "kept.rs"]
mod kept;

use kept::Kept;
use kit::{E, P, script};
use retry_runtime::observe::{AlreadySet, set_global};
use retry_runtime::{Downstream, Error, retry};

#[retry(policy = P, idempotent, downstream = leaf)]
async fn get(leaf: &Downstream) -> Result<u32, Error<E>> {
    kit::down(1).await
}

#[tokio::test(start_paused = true)]
async fn the_process_has_one_observer_beside_those_of_its_downstreams() {
    let (global, own) = (Kept::new(), Kept::new());
    set_global(global).unwrap();
    assert_eq!(set_global(own), Err(AlreadySet));
    script([Err(E(503)), Ok(1), Ok(2)]);
    assert_eq!(get(&own.downstream()).await, Ok(1));
    assert_eq!(get(&Downstream::new("unobserved")).await, Ok(2));
    let call = own.lines()[0].call;
    let (of_call, others): (Vec<_>, Vec<_>) =
        global.lines().into_iter().partition(|line| line.call == call);
    assert_eq!(of_call, own.lines());
    assert_eq!((own.take().len(), others.len()), (8, 4));
}
