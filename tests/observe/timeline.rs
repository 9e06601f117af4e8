//! A trace as people read it.

use crate::scene::{Scene, in_virtual_time};
use kit::{E, script};
use retry_runtime::{
    Budget, Class, Classify, Downstream, Error, IdempotencyKey, Jitter, Policy, RateLimit,
    Reconciled, Trace, record, retry,
};
use std::time::Duration;
use tokio::time::sleep;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const POLICY: Policy = Policy::exponential(millis(100), millis(400))
    .jitter(Jitter::None)
    .attempt_timeout(millis(180))
    .deadline(Duration::from_secs(2));

#[retry(
    policy = POLICY,
    downstream = bank,
    idempotency_key = "order-7",
    reconcile = find,
    allow(no_jitter = "always the same", key_unused = "nothing is sent"),
)]
async fn charge(bank: &Downstream) -> Result<u32, Error<E>> {
    rate(bank).await.map_err(|_| E(502))?;
    sleep(millis(60)).await;
    kit::down(1).await
}

async fn find(_: &IdempotencyKey) -> Result<Reconciled<u32>, E> {
    sleep(millis(20)).await;
    Ok(Reconciled::NotApplied)
}

#[retry(policy = POLICY, downstream = bank, idempotent, allow(no_jitter = "always the same"))]
async fn rate(bank: &Downstream) -> Result<u32, Error<E>> {
    sleep(millis(30)).await;
    kit::down(0).await
}

const TIMELINE: &str = "
         0                                 550 ms
charge to bank, key order-7: succeeded after 3 attempts in 550 ms
  1     │██████                                  │ 90.0 ms, transient: E(503)
    rate to bank: succeeded after 1 attempt in 30.0 ms
      1 │██                                      │ 30.0 ms, succeeded
  ?     │      ▒▒                                │ 20.0 ms, was not applied; retry in 100 ms of 100 ms
  2     │        ·······██                       │ 30.0 ms, transient: E(502)
    rate to bank: handed its error up after 1 attempt in 30.0 ms
      1 │               ██                       │ 30.0 ms, transient: E(500); stop: an enclosing call owns the retries
  ?     │                 ▒                      │ 20.0 ms, was not applied; retry in 200 ms of 200 ms
  3     │                  ···············███████│ 90.0 ms, succeeded
    rate to bank: succeeded after 1 attempt in 30.0 ms
      1 │                                 ██     │ 30.0 ms, succeeded
";

#[tokio::test(start_paused = true)]
async fn attempts_are_bars_waits_are_dots_and_reasons_stand_at_the_right() {
    script([Ok(0), Err(E(503)), Err(E(500)), Ok(0), Ok(7)]);
    let (result, trace) = record(charge(&Downstream::new("bank"))).await;
    assert_eq!(result, Ok(7));
    assert_eq!(format!("\n{trace:40}"), TIMELINE);
    let read = Trace::from_json_lines(&trace.to_json_lines()).unwrap();
    assert_eq!(format!("\n{read:40}"), TIMELINE, "from a file, too");
}

/// A failure whose words are those of a picture.
#[derive(Debug)]
#[expect(dead_code, reason = "shown")]
struct Marked(&'static str);

impl Classify for Marked {
    fn classify(&self) -> Class {
        Class::PERMANENT
    }
}

#[retry(policy = POLICY, downstream = leaf, idempotent, allow(no_jitter = "always the same"))]
async fn marked(leaf: &Downstream) -> Result<u32, Error<Marked>> {
    Err(Marked("<script>alert('&')</script>, and much more than anybody wants to read in a line"))
}

#[tokio::test(start_paused = true)]
async fn a_picture_has_a_bar_for_each_attempt_and_no_word_becomes_markup() {
    script([Ok(0), Err(E(503)), Err(E(500)), Ok(0), Ok(7)]);
    let (_, trace) = record(charge(&Downstream::new("bank"))).await;
    let picture = trace.to_svg();
    let count = |class: &str| picture.matches(&format!("<rect class=\"{class}")).count();
    // Five attempts that succeeded and three that failed, two questions, and the paper.
    assert_eq!((count("good\""), count("bad\""), count("good question\"")), (3, 3, 2));
    assert_eq!((count("paper"), picture.matches("class=\"gap\"").count()), (1, 2));
    assert!(picture.contains("succeeded after 3 attempts in 550 ms"));

    let (_, trace) = record(marked(&Downstream::new("<leaf>"))).await;
    let picture = trace.to_svg();
    assert!(!picture.contains("<script") && !picture.contains("<leaf>"), "{picture}");
    assert!(picture.contains("&lt;script&gt;") && picture.contains("&lt;leaf&gt;"), "{picture}");
    assert!(
        trace.to_string().contains("permanent: Marked(\"<script>alert('&')</script>, and much")
    );
}

#[tokio::test(start_paused = true)]
async fn refusals_budgets_and_queues_are_shown() {
    let leaf = Downstream::new("leaf")
        .budget(Budget::ratio(0.5))
        .rate_limit(RateLimit::per_second(10).waiting());
    script([Err(E(503)), Ok(0)]);
    let (_, trace) = record(async {
        rate(&leaf).await.unwrap_err();
        rate(&leaf).await.unwrap();
    })
    .await;
    let shown = format!("\n{trace:26}");
    let expected = "
     0                   130 ms
rate to leaf: gave up after 1 attempt in 30.0 ms: the retry budget is exhausted
  1 │██████                    │ 30.0 ms, transient: E(503); stop: the retry budget is exhausted; budget of leaf holds 0.50
rate to leaf: succeeded after 1 attempt in 100 ms
  1 │      ··············██████│ 30.0 ms, succeeded
";
    assert_eq!(shown, expected);
}

#[test]
fn every_trace_can_be_shown_and_drawn() {
    for seed in 0..100 {
        let scene = Scene::random(seed, 5, |downstream| downstream);
        let (_, trace) = in_virtual_time(async { record(scene.run()).await });
        let rows = trace.to_string().lines().count();
        assert!(rows > 12, "{trace}");
        assert_eq!(trace.to_svg().matches("<g>").count(), rows - 1 + 5, "five ticks");
        // Cut off anywhere.
        let text = trace.to_json_lines();
        let lines: Vec<_> = text.lines().take(rows / 2).collect();
        let part = Trace::from_json_lines(&lines.join("\n")).unwrap();
        assert!(part.replay().is_ok() && !part.to_string().is_empty() && !part.to_svg().is_empty());
    }
    let empty = Trace::from_json_lines("").unwrap();
    assert_eq!(format!("{empty:10}"), "  0     0 ms\n");
    assert!(empty.to_svg().starts_with("<svg"));
}
