//! Type parameters, lifetimes, constants, and functions born from macros.

use kit::{E, down};
use retry_runtime::{Classify, FromStopped};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn by_trait<T: AsRef<str> + Clone + Send + Sync>(name: T) -> Result<u32, E> {
    down(name.as_ref().len() as u32).await
}

async fn consume<T: Into<Vec<u8>> + Send>(body: T) -> Result<u32, E> {
    down(body.into().len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent, clone(body)))]
pub async fn put<T: Into<Vec<u8>> + Clone + Send + Sync>(body: T) -> Result<u32, E> {
    consume(body).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent, clone(ids)))]
pub async fn total(
    ids: impl IntoIterator<Item = u32> + Clone + Send + Sync,
    name: impl AsRef<str> + Send + Sync,
) -> Result<u32, E> {
    let ids: u32 = ids.into_iter().sum();
    down(ids + name.as_ref().len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn best<F>(lines: &[String], pick: F) -> Result<u32, E>
where
    F: for<'a> Fn(&'a [String]) -> Option<&'a str> + Send + Sync,
{
    let Some(line) = pick(lines) else {
        return Ok(0);
    };
    down(line.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn fill<K, V, S>(keys: &[K]) -> Result<HashMap<K, V, S>, E>
where
    K: Clone + Eq + Hash + Send + Sync + Into<u32>,
    V: From<u32> + Send,
    S: BuildHasher + Default + Send,
{
    let mut map = HashMap::default();
    for key in keys {
        map.insert(key.clone(), down(key.clone().into()).await?.into());
    }
    Ok(map)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn batch<const N: usize>(ids: [u32; N]) -> Result<[u32; N], E> {
    let mut answers = [0; N];
    answers[0] = down(ids[N - 1]).await?;
    Ok(answers)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn longest<'a, 'b: 'a>(left: &'a str, right: &'b str) -> Result<&'a str, E> {
    down((left.len() + right.len()) as u32).await?;
    Ok(if left.len() > right.len() { left } else { right })
}

pub struct Request<'r> {
    pub path: &'r str,
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn relay<'r>(request: Request<'r>, _trace: Request<'_>) -> Result<Request<'r>, E> {
    down(request.path.len() as u32).await?;
    Ok(Request { path: request.path.trim() })
}

pub trait Api {
    type Error: Classify + FromStopped + From<E> + Send;
    type Reply: From<u32>;
    const ID: u32;
}

pub struct Quotes;

impl Api for Quotes {
    type Error = E;
    type Reply = u64;
    const ID: u32 = 6;
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn ask<A: Api>() -> Result<A::Reply, A::Error> {
    Ok(down(A::ID).await?.into())
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn through<F>(send: F, id: u32) -> Result<u32, E>
where
    F: AsyncFn(u32) -> Result<u32, E> + Send + Sync,
{
    send(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn attributes_on_generics<
    #[cfg(any())] Gone: NoSuchTrait,
    #[cfg(not(any()))] Number: Into<u32> + Copy + Send + Sync,
    #[allow(unused)] const SIZE: usize,
>(
    numbers: [Number; SIZE],
) -> Result<u32, E> {
    down(numbers.iter().map(|number| (*number).into()).sum()).await
}

macro_rules! endpoint {
    ($p:expr; $(#[$m:meta])* $v:vis $name:ident<$n:literal>($($a:ident: $t:ty),*) -> $r:ty $body:block) => {
        $(#[$m])*
        #[cfg_attr(feature = "retried", kit::retry(policy = $p, idempotent))]
        $v async fn $name<const K: usize>($($a: $t),*, _w: [u8; { $n + 1 }]) -> $r $body
    };
}

endpoint!(kit::P; /** Doc.

# Errors
Downstream failed. */ pub get<2>(id: u32, tag: &str) -> Result<u32, E> {
    down(id + tag.len() as u32).await
});

macro_rules! reads {
    ($($(#[$attribute:meta])* $name:ident($id:ident: $ty:ty) = $sum:expr;)*) => {
        $(
            $(#[$attribute])*
            pub async fn $name(mut $id: $ty) -> Result<u32, E> {
                let local = 100;
                $id += local;
                down($sum).await
            }
        )*
    };
}

reads! {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    from_fragments(id: u32) = id + 1;
}
