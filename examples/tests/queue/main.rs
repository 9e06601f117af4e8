//! The example `queue` with workers that are killed, frozen or slow: real processes, a real Redis,
//! and the subscriber's own count of the attempts.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "all of it is a test, its helpers too")]

#[path = "../../queue/server.rs"]
mod server;
mod stage;
mod subscriber;

use stage::{Ended, Stage, Waiting, example};
use std::time::{Duration, SystemTime};
use subscriber::Answer;

const KILLS: u32 = 10;
const LIMIT: u32 = KILLS + 2;

/// What there is to say of a job when all is over.
#[derive(Debug, PartialEq)]
struct Story {
    attempts: Vec<u32>,
    counted: u32,
    keeps_its_root: bool,
    keeps_its_deadline: bool,
    keeps_its_key: bool,
    reason: Option<String>,
    outcome: Option<String>,
}

async fn story(stage: &Stage, job: &Waiting) -> Story {
    let Ended { reason, outcome, scope } = stage.ended(job).await;
    let arrivals = stage.subscriber.arrivals(&job.event);
    let key = format!("\"{}\"", job.event);
    Story {
        attempts: arrivals.iter().map(|arrival| arrival.attempt).collect(),
        counted: scope.attempts,
        keeps_its_root: scope.root == job.scope.root
            && arrivals.iter().all(|arrival| arrival.root == job.scope.root),
        keeps_its_deadline: scope.deadline == job.scope.deadline,
        keeps_its_key: arrivals.iter().all(|arrival| arrival.key.as_ref() == Some(&key)),
        reason,
        outcome,
    }
}

/// Every other kill is in the middle of an attempt, and the rest in the wait after one.
fn is_killed_in_wait(attempt: u32) -> bool {
    attempt % 2 == 0
}

#[tokio::test]
async fn a_job_whose_worker_is_killed_ten_times_is_attempted_as_if_it_had_not_been() {
    let options = ["--attempts", &LIMIT.to_string(), "--deadline", "100"];
    let Some(calm) = Stage::set(|_, _| Answer::Fail).await else { return };
    let unharmed = calm.put("job", &options).await;
    let _unharmed_worker = calm.worker("worker");

    let Some(stage) = Stage::set(|_, attempt| match attempt {
        _ if attempt > KILLS => Answer::Fail,
        _ if is_killed_in_wait(attempt) => Answer::Busy,
        _ => Answer::Hold,
    })
    .await
    else {
        return;
    };

    let killed = stage.put("job", &options).await;
    for attempt in 1..=KILLS {
        let name = format!("worker-{attempt}");
        let worker = stage.worker(&name);
        stage.attempted(&killed, attempt).await;
        if is_killed_in_wait(attempt) {
            stage.waits_after(&killed, attempt).await;
        }
        worker.kill();
        stage.attempted(&killed, attempt).await;
        let held = stage.holder(&killed).await.unwrap();
        assert_eq!((held.worker, held.deliveries), (name, attempt));
    }
    let _worker = stage.worker("worker");
    let killed = story(&stage, &killed).await;

    assert_eq!(killed, story(&calm, &unharmed).await);
    assert_eq!(killed.attempts, (1..=LIMIT).collect::<Vec<_>>());
    assert_eq!((killed.counted, killed.reason.as_deref()), (LIMIT, Some("attempt_limit")));
    assert!(killed.keeps_its_root && killed.keeps_its_deadline && killed.keeps_its_key);
}

#[tokio::test]
async fn after_the_deadline_a_job_that_comes_back_is_not_attempted() {
    let Some(stage) = Stage::set(|_, _| Answer::Hold).await else { return };
    let job = stage.put("late", &["--attempts", "9", "--deadline", "2"]).await;
    let deadline = SystemTime::now() + Duration::from_secs(2);
    let worker = stage.worker("killed");
    stage.attempted(&job, 1).await;
    worker.kill();
    stage.date(deadline).await;

    let _worker = stage.worker("late");
    let story = story(&stage, &job).await;
    assert_eq!((&story.attempts[..], story.counted), (&[1][..], 1));
    assert_eq!(story.reason.as_deref(), Some("deadline"));
    assert_eq!(story.outcome.as_deref(), Some("unknown"));
    assert!(story.keeps_its_deadline);
}

#[tokio::test]
async fn a_job_that_must_not_be_delivered_twice_is_not_sent_again_when_it_comes_back() {
    let Some(stage) = Stage::set(|_, _| Answer::Hold).await else { return };
    let job = stage.put("once", &["--once", "--attempts", "9"]).await;
    let worker = stage.worker("killed");
    stage.attempted(&job, 1).await;
    worker.kill();

    let _worker = stage.worker("next");
    let story = story(&stage, &job).await;
    assert_eq!(story.attempts, [1]);
    assert_eq!(story.reason.as_deref(), Some("unknown_outcome"));
    assert_eq!(story.outcome.as_deref(), Some("unknown"));
}

#[tokio::test]
async fn a_job_that_is_put_into_the_queue_again_starts_anew() {
    let Some(stage) = Stage::set(|_, _| Answer::Fail).await else { return };
    let _worker = stage.worker("worker");
    let first = stage.put("again", &["--attempts", "2"]).await;
    let dead = stage.ended(&first).await;
    assert_eq!((dead.reason.as_deref(), dead.scope.attempts), (Some("attempt_limit"), 2));

    let second = stage.put("again", &["--attempts", "2"]).await;
    let dead = stage.ended(&second).await;
    assert_eq!((dead.reason.as_deref(), dead.scope.attempts), (Some("attempt_limit"), 2));
    assert_eq!(stage.subscriber.attempts("again"), [1, 2, 1, 2]);
    assert_ne!(first.scope.root, second.scope.root);
    assert!(first.scope.deadline < second.scope.deadline);
}

#[tokio::test]
async fn a_worker_that_was_frozen_does_not_repeat_what_another_one_has_taken_over() {
    let plan = |event: &str, attempt| match (event, attempt) {
        ("frozen", 1) => Answer::Busy,
        _ => Answer::Hold,
    };
    let Some(stage) = Stage::set(plan).await else { return };
    let job = stage.put("frozen", &[]).await;
    let frozen = stage.worker("frozen");
    stage.waits_after(&job, 1).await;
    let wait_is_over = SystemTime::now() + Duration::from_secs(1);
    frozen.signal("-STOP");
    let _worker = stage.worker("awake");
    stage.attempted(&job, 2).await;

    stage.date(wait_is_over).await;
    frozen.signal("-CONT");
    // It has let the job go when it has taken another.
    let next = stage.put("next", &[]).await;
    stage.attempted(&next, 1).await;
    assert_eq!(stage.holder(&job).await.unwrap().worker, "awake");
    assert_eq!(stage.holder(&next).await.unwrap().worker, "frozen");
    stage.subscriber.release();
    assert_eq!(stage.ended(&job).await.reason, None);
    assert_eq!(stage.ended(&next).await.reason, None);
    assert_eq!(stage.subscriber.attempts("frozen"), [1, 2]);
}

#[tokio::test]
async fn a_job_is_not_taken_from_a_worker_that_lives_however_long_its_attempt_takes() {
    let Some(stage) = Stage::set(|_, _| Answer::Hold).await else { return };
    let job = stage.put("slow", &[]).await;
    let _workers = [stage.worker("one"), stage.worker("two")];
    stage.attempted(&job, 1).await;
    stage.date(SystemTime::now() + Duration::from_millis(800)).await;
    stage.subscriber.release();
    let story = story(&stage, &job).await;
    assert_eq!((&story.attempts[..], story.reason), (&[1][..], None));
}

/// So many failures in a row are more than the retry budget of a worker pays for.
#[tokio::test]
async fn a_job_that_the_worker_may_not_retry_now_is_put_back_and_makes_all_its_attempts() {
    let Some(stage) = Stage::set(|_, _| Answer::Fail).await else { return };
    let mut jobs = Vec::new();
    for number in 0..40 {
        jobs.push(stage.put(&format!("job-{number}"), &["--attempts", "2"]).await);
    }
    let _worker = stage.worker("worker");
    for job in &jobs {
        let story = story(&stage, job).await;
        assert_eq!((&story.attempts[..], story.counted), (&[1, 2][..], 2));
        assert_eq!(story.reason.as_deref(), Some("attempt_limit"));
    }
}

#[tokio::test]
async fn what_is_no_job_becomes_a_dead_letter_and_stops_nobody() {
    let Some(stage) = Stage::set(|_, _| Answer::Ok).await else { return };
    stage.put_nonsense().await;
    let job = stage.put("after", &[]).await;
    let _worker = stage.worker("worker");
    assert_eq!(stage.ended(&job).await.reason, None);
    assert_eq!(stage.dead_reasons().await, ["no_job"]);
}

#[test]
fn without_redis_the_example_says_what_is_missing() {
    let output = example().env_remove("REDIS_URL").env("PATH", "").output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no Redis: set REDIS_URL"), "{said}");
}
