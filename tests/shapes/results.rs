//! What stands behind the arrow.

use kit::{E, down};
use retry_runtime::{Classify, Stopped};
use std::collections::BTreeMap;
use std::sync::Arc;

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn page(from: u32) -> Result<impl Iterator<Item = u32> + Send, E> {
    let n = down(from).await?;
    let pad = [0u8; 8192];
    down(pad.len() as u32).await?;
    Ok((0..n).map(move |i| i + from))
}

pub type Plan = Box<dyn Fn(u32) -> u32 + Send>;
pub type AnyError = Box<dyn std::error::Error + Send + Sync>;

#[cfg_attr(
    feature = "retried",
    kit::retry(
        policy = kit::P,
        idempotent,
        classify = |_: &AnyError| retry_runtime::Class::TRANSIENT
    )
)]
pub async fn plan(src: &str) -> Result<Plan, Box<dyn std::error::Error + Send + Sync>> {
    if src.is_empty() {
        return Err("empty".into());
    }
    let k: u32 = src.parse()?;
    let base = down(k).await?;
    Ok(Box::new(move |x| x + base))
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn objects(id: u32) -> Result<Vec<Arc<dyn Fn() -> u32 + Send + Sync>>, E> {
    let n = down(id).await?;
    Ok(vec![Arc::new(move || n), Arc::new(move || n + id)])
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn arms(id: u32) -> Result<Box<dyn Iterator<Item = u32> + Send>, E> {
    let n = down(id).await?;
    if n > 100 {
        return Ok(Box::new(std::iter::once(n)));
    }
    match n {
        0 => Ok(Box::new(std::iter::empty())),
        n => Ok(Box::new(0..n)),
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn function_pointer(id: u32) -> Result<fn(u32) -> u32, E> {
    down(id).await?;
    Ok(|x| x + 1)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unsized_slice(id: u32) -> Result<&'static [u32], E> {
    down(id).await?;
    Ok(&[1, 2, 3])
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn collected(id: u32) -> Result<BTreeMap<u32, String>, E> {
    let n = down(id).await?;
    Ok((0..n).map(|i| (i, i.to_string())).collect())
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn parsed(text: &str) -> Result<u32, E> {
    let id = text.parse().map_err(|_| E(400))?;
    let _ = down(id).await?;
    text.parse().or(Err(E(400)))
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn by_default(id: u32) -> Result<(u32, Option<String>), E> {
    down(id).await?;
    Ok(Default::default())
}

/// A module with a `Result` of its own.
pub mod svc {
    use super::{E, down};

    pub type Result<T> = std::result::Result<T, E>;

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn a() -> Result<u32> {
        down(1).await
    }

    pub type Reply = Result<u32>;

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn b() -> Reply {
        down(2).await
    }
}

#[cfg_attr(
    feature = "retried",
    kit::retry(
        policy = kit::P,
        idempotent,
        classify = |_: &std::io::Error| retry_runtime::Class::TRANSIENT
    )
)]
pub async fn c() -> std::io::Result<u32> {
    down(3).await.map_err(std::io::Error::other)
}

// O-A06 `d`, `anyhow::Result<u32>`, needs the feature `anyhow`; it is in tests/behaviour/classes.rs.

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn e() -> ::core::result::Result<u32, E> {
    down(5).await
}

/// The error of the body, and beside it the facts of the stop.
#[cfg(feature = "retried")]
pub type Told<T> = Result<T, retry_runtime::Error<E>>;
/// The error of the body.
#[cfg(not(feature = "retried"))]
pub type Told<T> = Result<T, E>;

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn told(id: u32) -> Told<u32> {
    let n = down(id).await?;
    if n == 0 {
        return Err(E(404));
    }
    Ok(n)
}

#[derive(Debug, thiserror::Error, Classify)]
pub enum ReadError {
    #[error("downstream")]
    #[classify(inherit)]
    Down(#[from] E),
    #[error("text")]
    #[classify(permanent)]
    Text(#[from] std::num::ParseIntError),
    #[error("stopped")]
    #[classify(stopped)]
    Stopped(Stopped),
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn converted(text: &str) -> Result<u32, ReadError> {
    Ok(down(text.parse()?).await?)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unit(id: u32) -> Result<(), E> {
    down(id).await?;
    Ok(())
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn both_places(
    name: impl Into<String> + Clone + Send + Sync,
) -> Result<(impl Fn() -> String, Option<impl Sized>), E> {
    let answer = down(1).await?;
    let name = name.clone().into();
    Ok((move || format!("{name}-{answer}"), Some(answer)))
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn within(id: u32) -> Result<Result<u32, E>, E> {
    let n = down(id).await?;
    Ok(if n > 100 { Err(E(1)) } else { Ok(n) })
}
