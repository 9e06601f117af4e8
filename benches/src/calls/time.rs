//! How long calls take, in time of the processor and not of the wall.

use super::case::{Case, Drive};
use super::worker::Failed;
use crate::cpu;
use std::time::Duration;
use tokio::runtime::Runtime;

const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(20);

/// Nanoseconds of a call in each round, for each of the cases.
pub(super) fn nanos(
    cases: &[Case],
    runtime: &Runtime,
    drive: Drive,
) -> Result<Vec<Vec<f64>>, Failed> {
    let calls: Vec<u32> = cases
        .iter()
        .map(|case| calls_in_a_round(case, runtime, drive))
        .collect::<Result<_, _>>()?;
    let mut nanos = vec![Vec::new(); cases.len()];
    for _ in 0..ROUNDS {
        for ((case, &calls), nanos) in cases.iter().zip(&calls).zip(&mut nanos) {
            nanos.push(took(case, runtime, drive, calls)?.as_secs_f64() * 1e9 / f64::from(calls));
        }
    }
    Ok(nanos)
}

/// How many calls take about as long as a round.
fn calls_in_a_round(case: &Case, runtime: &Runtime, drive: Drive) -> Result<u32, Failed> {
    let mut calls = 100;
    while took(case, runtime, drive, calls)? < ROUND / 2 && calls < u32::MAX / 2 {
        calls *= 2;
    }
    Ok(calls)
}

fn took(case: &Case, runtime: &Runtime, drive: Drive, calls: u32) -> Result<Duration, Failed> {
    let began = cpu::of_this_thread();
    if !case.repeat(runtime, drive, calls) {
        return Err(Failed::of(case));
    }
    Ok(cpu::of_this_thread().saturating_sub(began))
}
