//! What stands between the braces.

use kit::{E, down};
use tokio::sync::Mutex;

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn early_return(ids: &[u32]) -> Result<Option<u32>, E> {
    for id in ids {
        let answer = down(*id).await?;
        if answer % 2 == 1 {
            return Ok(Some(answer));
        }
        if answer > 100 {
            return Err(E(500));
        }
    }
    Ok(None)
}

macro_rules! twice {
    ($call:expr) => {
        $call.await? + $call.await?
    };
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn question_mark_in_a_macro(id: u32) -> Result<Vec<String>, E> {
    let listed = vec![format!("{}", down(id).await?)];
    let sum: u32 = twice!(down(id));
    Ok([listed, vec![sum.to_string()]].concat())
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn closure(text: &str) -> Result<u32, E> {
    let number = |text: &str| -> Result<u32, E> {
        if text.is_empty() {
            return Err(E(400));
        }
        let number: u32 = text.parse().map_err(|_| E(422))?;
        Ok(number)
    };
    down(number(text)?).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn nested_blocks(id: u32) -> Result<u32, E> {
    let left = async {
        let answer = down(id).await?;
        Ok::<_, E>(answer + 1)
    };
    let right = async move { down(id * 10).await };
    Ok(left.await? + right.await?)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn async_closure(ids: &[u32]) -> Result<u32, E> {
    let mut total = 0;
    let mut add = async |id: u32| {
        total += down(id).await?;
        Ok::<(), E>(())
    };
    for id in ids {
        add(*id).await?;
    }
    Ok(total)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn labelled_loop(job: u32) -> Result<u32, E> {
    let state = 'poll: loop {
        loop {
            match down(job).await? {
                0 => continue 'poll,
                1 => {}
                state => break 'poll state,
            }
        }
    };
    Ok(state)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn items(from: u32) -> Result<u32, E> {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    const STEP: u32 = 10;
    static BODIES: AtomicU32 = AtomicU32::new(0);
    const fn next(page: u32) -> u32 {
        page + STEP
    }
    BODIES.fetch_add(1, Relaxed);
    down(next(from)).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn recursion(depth: u32) -> Result<u32, E> {
    let here = down(depth).await?;
    if depth == 0 {
        return Ok(here);
    }
    Ok(here + Box::pin(recursion(depth - 1)).await?)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn temporaries(ids: &Mutex<Vec<u32>>) -> Result<u32, E> {
    match ids.lock().await.first() {
        Some(id) => down(*id).await,
        None => Err(E(404)),
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn inner_attributes(id: u32) -> Result<u32, E> {
    #![allow(unused_variables, clippy::no_effect_underscore_binding)]
    #![doc = "More of the documentation."]
    let unused = 1;
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn conditional_statements(id: u32) -> Result<u32, E> {
    #[cfg(any())]
    let id = missing(id);
    #[allow(clippy::shadow_unrelated)]
    let id = id + 1;
    #[cfg(any())]
    return down(no_such_name).await;
    #[cfg(not(any()))]
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn joined(a: u32, b: u32) -> Result<(u32, u32), E> {
    tokio::try_join!(down(a), async {
        let answer = down(b).await?;
        Ok(answer + 1)
    })
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn selected(id: u32) -> Result<u32, E> {
    tokio::select! {
        biased;
        answer = down(id) => answer,
        () = std::future::pending() => Err(E(408)),
    }
}

/// # Safety
///
/// `id` points at a number that outlives the call.
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[allow(unsafe_code, clippy::future_not_send)]
pub async unsafe fn of_a_pointer(id: *const u32) -> Result<u32, E> {
    // SAFETY: the caller's promise.
    let id = unsafe { *id };
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[allow(improper_ctypes_definitions)]
pub async extern "C" fn of_another_abi(id: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[rustfmt::skip]
pub async fn one_expression(id: u32) -> Result<u32, E> { down(id).await }

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn one_macro(id: u32) -> Result<u32, E> {
    macro_rules! tail {
        ($id:ident) => {
            down($id).await
        };
    }
    tail!(id)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn never_at_the_end(id: u32) -> Result<u32, E> {
    loop {
        let answer = down(id).await?;
        if answer > 0 {
            return Ok(answer);
        }
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn held_across(id: u32) -> Result<usize, E> {
    let pad = [1u8; 2048];
    down(id).await?;
    Ok(pad.len())
}

/// A retried function inside a plain one.
pub async fn outside(id: u32) -> Result<u32, E> {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn inside(id: u32) -> Result<u32, E> {
        down(id).await
    }
    inside(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn names_of_the_loop(id: u32) -> Result<u32, E> {
    let (__run, __ended, __pause, __key) = (id, 1, 1, 1);
    let __result = __run + __ended + __pause + __key;
    'retry: {
        if __result == 0 {
            break 'retry;
        }
        return down(__result).await;
    }
    Err(E(400))
}

/// Says when it is dropped.
pub struct Loud<'l>(pub &'static str, pub &'l std::sync::Mutex<Vec<&'static str>>);

impl Loud<'_> {
    fn number(&self) -> Option<u32> {
        self.1.lock().ok().map(|log| log.len() as u32)
    }
}

impl Drop for Loud<'_> {
    fn drop(&mut self) {
        if let Ok(mut log) = self.1.lock() {
            log.push(self.0);
        }
    }
}

/// The editions differ in when they drop what stands in a condition and at the end.
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[allow(clippy::redundant_else, clippy::significant_drop_in_scrutinee)]
pub async fn drops(log: &std::sync::Mutex<Vec<&'static str>>) -> Result<u32, E> {
    let local = Loud("local", log);
    down(5).await?;
    if let Some(number @ 100..) = Loud("condition", log).number() {
        return Ok(number);
    } else {
        drop(Loud("else", log));
    }
    Loud("last", log).number().or_else(|| local.number()).ok_or(E(404))
}
