//! Calls side by side on four threads.

use crate::kept::Kept;
use kit::{E, P};
use retry_runtime::{Budget, Downstream, Error, record, retry};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tokio::task::yield_now;

/// Two failures, then a success; the error and the key say whose they are.
#[retry(policy = P, downstream = leaf, idempotency_key = id.to_string())]
async fn call(leaf: &Downstream, id: u16, tries: &AtomicU32) -> Result<u16, Error<E>> {
    yield_now().await;
    if tries.fetch_add(1, Relaxed) < 2 { Err(E(id)) } else { Ok(id) }
}

#[test]
fn o_b14_of_64_calls_at_once_every_event_is_in_its_own_call_and_attempt() {
    let kept = Kept::new();
    let leaf = kept.downstream().budget(Budget::ratio(1.0).per_second(1_000));
    let leaf: &'static Downstream = Box::leak(Box::new(leaf));
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let traces = runtime.worker_threads(4).enable_time().build().unwrap().block_on(async {
        let work = |id| async move { record(call(leaf, id, &AtomicU32::new(0))).await };
        let calls: Vec<_> = (0..64).map(|id| tokio::spawn(work(id))).collect();
        let mut traces = Vec::new();
        for (id, call) in (0..).zip(calls) {
            let (result, trace) = call.await.unwrap();
            assert_eq!(result, Ok(id));
            traces.push(trace);
        }
        traces
    });
    let mut calls: BTreeMap<u64, Vec<_>> = BTreeMap::new();
    for line in kept.lines() {
        calls.entry(line.call).or_default().push(line);
    }
    assert_eq!(calls.len(), 64);
    for lines in calls.values() {
        let id = lines[0].key.clone().unwrap();
        let seen: Vec<_> = lines
            .iter()
            .map(|line| {
                assert_eq!((line.key.as_ref(), line.root), (Some(&id), lines[0].root));
                if line.text.contains("failed") {
                    assert!(line.text.ends_with(&format!("failed: E({id})")), "{}", line.text);
                }
                let word = line.text.split(['(', ' ']).next().unwrap();
                (line.attempt, word)
            })
            .collect();
        let (one, two) = ([(1, "start"), (1, "end"), (1, "retry"), (1, "waited")], [2, 2, 2, 2]);
        let two: Vec<_> = two.into_iter().zip(one).map(|(at, (_, word))| (at, word)).collect();
        let last = [(3, "start"), (3, "end"), (3, "over")];
        let expected: Vec<_> =
            [(0, "call")].into_iter().chain(one).chain(two).chain(last).collect();
        assert_eq!(seen, expected);
    }
    // Each recording holds its own call and nothing else.
    for trace in traces {
        assert_eq!((trace.events().count(), trace.replay()), (12, Ok(2)));
    }
}
