//! Faults between the braces.

use kit::{E, down};
use std::sync::Mutex;

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_variable(id: u32) -> Result<u32, E> {
    let unused = 1;
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_mut(id: u32) -> Result<u32, E> {
    let mut sum = id;
    down(sum).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_result(id: u32) -> Result<u32, E> {
    down(1).await;
    down(2);
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_import(id: u32) -> Result<u32, E> {
    use std::collections::HashMap;
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_items(id: u32) -> Result<u32, E> {
    const UNUSED: u32 = 1;
    fn unused() {}
    macro_rules! unused {
        () => {};
    }
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_assignment(id: u32) -> Result<u32, E> {
    let mut sum = 0;
    sum = id;
    down(sum).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_label(id: u32) -> Result<u32, E> {
    'unused: for more in 0..id {
        down(more).await?;
    }
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unreachable(id: u32) -> Result<u32, E> {
    return down(id).await;
    down(id + 1).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn needless_return(id: u32) -> Result<u32, E> {
    return down(id).await;
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn needless_return_in_an_arm(id: u32) -> Result<u32, E> {
    match id {
        0 => return Err(E(404)),
        id => down(id).await,
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn needless_question_mark(id: u32) -> Result<u32, E> {
    Ok(down(id).await?)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn needless_braces(id: u32) -> Result<u32, E> {
    let id = { id };
    let more = (id + 1);
    { down(id + more).await }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[rustfmt::skip]
pub async fn needless_parentheses(id: u32) -> Result<u32, E> { (down(id).await) }

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn let_and_return(id: u32) -> Result<u32, E> {
    let answer = down(id).await;
    answer
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unit_bound(id: u32) -> Result<u32, E> {
    let nothing = drop(id);
    nothing;
    if id == 0 {
        println!("{}", id)
    }
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn redundant_clone(name: String) -> Result<u32, E> {
    let same = name.clone();
    let length = same.clone().len();
    down(length as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn qualified(id: u32) -> Result<u32, E> {
    let none: std::option::Option<u32> = std::option::Option::None;
    down(id + none.unwrap_or(0)).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unwrapped(text: &str) -> Result<u32, E> {
    let id: u32 = text.parse().unwrap();
    let more: u32 = text.parse().expect("a number");
    assert!(more > 0);
    down(id + more).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn guard_held(id: u32, total: &Mutex<u32>) -> Result<u32, E> {
    let mut total = total.lock().map_err(|_| E(500))?;
    *total += down(id).await?;
    Ok(*total)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn item_after_a_statement(id: u32) -> Result<u32, E> {
    let id = id + 1;
    const fn twice(id: u32) -> u32 {
        id * 2
    }
    down(twice(id)).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn large_future_awaited(id: u32) -> Result<u32, E> {
    let pad = [0u8; 20_000];
    down(id).await?;
    down(pad.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn never_loops(id: u32) -> Result<u32, E> {
    loop {
        return down(id).await;
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn nothing_awaited(id: u32) -> Result<u32, E> {
    Ok(id)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn redundant_block(id: u32) -> Result<u32, E> {
    let call = async { down(id).await };
    let pick = (|| id + 1)();
    down(pick).await?;
    call.await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn deprecated_used(id: u32) -> Result<u32, E> {
    down(super::signatures::deprecated(id).await?).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[allow(unused_variables)]
pub async fn allowed(id: u32) -> Result<u32, E> {
    let unused = 1;
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[expect(unused_variables)]
pub async fn expected(id: u32) -> Result<u32, E> {
    let unused = 1;
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[expect(unused_variables, clippy::needless_return)]
pub async fn expected_in_vain(id: u32) -> Result<u32, E> {
    down(id).await
}
