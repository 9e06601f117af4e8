//! What people write by hand today.

mod complete;

use super::body::{Body, Failed};
use super::case::Case;
use super::names::{BY_HAND, PLAIN, SLEEP, TIMEOUT};
use super::{ATTEMPT, ATTEMPTS, BASE, Situation};
use complete::complete;
use std::time::Duration;
use tokio::time::{sleep, timeout};

pub(super) fn cases<B: Body>(situation: Situation) -> Vec<Case> {
    if situation == Situation::FailsTwice {
        return vec![Case::new(SLEEP, || with_sleep::<B>), Case::new(BY_HAND, || complete::<B>)];
    }
    vec![
        Case::new(PLAIN, || plain::<B>),
        Case::new("loop by hand", || at_once::<B>),
        Case::new(TIMEOUT, || with_timeout::<B>),
        Case::new(BY_HAND, || complete::<B>),
    ]
}

async fn plain<B: Body>(number: u64) -> Result<u64, Failed> {
    B::run(number).await
}

async fn at_once<B: Body>(number: u64) -> Result<u64, Failed> {
    let mut attempt = 1;
    loop {
        match B::run(number).await {
            Ok(number) => return Ok(number),
            Err(failed) if attempt == ATTEMPTS => return Err(failed),
            Err(_) => attempt += 1,
        }
    }
}

async fn with_timeout<B: Body>(number: u64) -> Result<u64, Failed> {
    let mut attempt = 1;
    loop {
        match timeout(ATTEMPT, B::run(number)).await {
            Ok(Ok(number)) => return Ok(number),
            Ok(Err(failed)) if attempt == ATTEMPTS => return Err(failed),
            Err(_) if attempt == ATTEMPTS => return Err(Failed),
            Ok(Err(_)) | Err(_) => attempt += 1,
        }
    }
}

async fn with_sleep<B: Body>(number: u64) -> Result<u64, Failed> {
    let mut attempt = 1;
    loop {
        match B::run(number).await {
            Ok(number) => return Ok(number),
            Err(failed) if attempt == ATTEMPTS => return Err(failed),
            Err(_) => {
                let limit = BASE * (1 << (attempt - 1));
                attempt += 1;
                sleep(rand::random_range(Duration::ZERO..=limit)).await;
            }
        }
    }
}
