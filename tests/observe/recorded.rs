//! What belongs to a recording, and what does not.

use kit::{E, P, script, together};
use retry_runtime::observe::Event;
use retry_runtime::{Error, InScope, Scope, Trace, record, retry};
use std::collections::BTreeSet;

#[retry(policy = P, idempotent)]
async fn inner(n: u32) -> Result<u32, Error<E>> {
    kit::down(n).await
}

#[retry(policy = P, idempotent, allow(spawn_in_body = "awaited at once"))]
async fn outer(n: u32) -> Result<u32, Error<E>> {
    let here = inner(n).await.map_err(|_| E(502))?;
    let there = tokio::spawn(inner(n).in_scope()).await.unwrap();
    assert_eq!(there, Ok(here));
    Ok(here)
}

/// The names of the calls that begin, each with the name of the one around it.
fn tree(trace: &Trace) -> Vec<(String, Option<String>)> {
    let mut names = std::collections::BTreeMap::new();
    let mut tree = Vec::new();
    for (event, facts) in trace.events() {
        if let Event::CallStarted { parent, .. } = event {
            names.insert(facts.call_id, facts.call.to_owned());
            tree.push((facts.call.to_owned(), parent.map(|parent| names[&parent].clone())));
        }
    }
    tree
}

fn roots(trace: &Trace) -> BTreeSet<u64> {
    trace.events().map(|(_, facts)| facts.root_id).collect()
}

#[tokio::test(start_paused = true)]
async fn a_tree_of_calls_is_one_recording_also_across_tasks() {
    script([Err(E(503)), Ok(1), Ok(1)]);
    let (result, trace) = record(outer(1)).await;
    assert_eq!(result, Ok(1));
    let inside = || ("inner".to_owned(), Some("outer".to_owned()));
    assert_eq!(tree(&trace), [("outer".to_owned(), None), inside(), inside(), inside()]);
    assert_eq!(roots(&trace).len(), 1);
    // The failed inner call leaves it to the outer one, which retries.
    assert_eq!(trace.replay(), Ok(2));
}

#[tokio::test(start_paused = true)]
async fn calls_beside_a_recording_are_not_in_it() {
    script([Ok(1), Ok(2), Ok(3)]);
    let beside = async { (inner(9).await, Trace::from_json_lines("").unwrap()) };
    let recorded = record(inner(8));
    let calls: Vec<std::pin::Pin<Box<dyn Future<Output = (_, Trace)>>>> =
        vec![Box::pin(beside), Box::pin(recorded)];
    let ended = together(calls).await;
    assert_eq!(tree(&ended[1].1).len(), 1);
    let before = ended[1].1.events().count();
    assert_eq!(inner(10).await, Ok(3));
    assert_eq!(ended[1].1.events().count(), before);
    assert!(Scope::current().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_recording_in_a_recording_is_in_both() {
    script([Ok(1), Ok(2), Ok(3)]);
    let ((inside, _), all) = record(async {
        let (_, inside) = record(inner(1)).await;
        (inside, inner(2).await)
    })
    .await;
    assert_eq!((tree(&inside).len(), tree(&all).len()), (1, 2));
    assert_eq!(roots(&all), roots(&inside));
}

#[tokio::test(start_paused = true)]
async fn recording_changes_nothing_about_the_calls() {
    for inside in [false, true] {
        script([Err(E(503)), Err(E(503)), Ok(3), Err(E(503)), Err(E(503)), Ok(4)]);
        // Each of the calls has all of its attempts, though they share a scope.
        let calls = async { (inner(1).await, inner(2).await) };
        let results = if inside { record(calls).await.0 } else { calls.await };
        assert_eq!(results, (Ok(3), Ok(4)));
    }
}

#[tokio::test(start_paused = true)]
async fn events_can_be_read_in_the_words_of_the_observer() {
    script([Err(E(503)), Ok(1)]);
    let kept = crate::kept::Kept::new();
    let (_, trace) = record(inner(1)).await;
    for (event, facts) in trace.events() {
        retry_runtime::observe::Observer::observe(kept, &event, &facts);
    }
    let told = kept.take();
    assert_eq!(told[2], "end(1) after 0ns: failed: E(503)");
    assert_eq!(told.len(), 8);
}
