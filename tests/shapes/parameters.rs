//! What stands between the parentheses.

use kit::{E, down};

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn text(name: &str, domain: &'static str) -> Result<u32, E> {
    down((name.len() + domain.len()) as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn owned_text(name: String) -> Result<u32, E> {
    down(name.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn slice(ids: &[u32], last: Option<&u32>) -> Result<u32, E> {
    down(ids.iter().sum::<u32>() + last.copied().unwrap_or_default()).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn large(block: [u8; 4096]) -> Result<u32, E> {
    down(block.iter().map(|byte| u32::from(*byte)).sum()).await
}

#[cfg_attr(
    feature = "retried",
    kit::retry(
        policy = kit::P,
        idempotent,
        allow(mutable_parameter = "each attempt clears it first")
    )
)]
pub async fn vector(page: u32, rows: &mut Vec<u32>) -> Result<(), E> {
    rows.clear();
    rows.push(down(page).await?);
    Ok(())
}

pub struct Point {
    pub x: u32,
    pub y: u32,
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn bump(
    mut n: u32,
    (a, mut b): (u32, u32),
    Point { x, .. }: Point,
    _: u8,
    [h, ..]: [u32; 3],
) -> Result<u32, E> {
    n += 1;
    b += a;
    down(n + b + x + h).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn nested(
    ((a, mut b), [c, rest @ ..]): ((u32, u32), [u32; 3]),
    Point { x: ref left, y: mut right }: Point,
) -> Result<u32, E> {
    b *= 10;
    right *= 100;
    down(a + b + c + rest[0] + rest[1] + left + right).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn by_reference(ref whole @ Point { x, ref y }: Point, &step: &u32) -> Result<u32, E> {
    down(whole.x + x + y + step).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn mut_text(mut line: String, mut parts: Vec<u8>) -> Result<u32, E> {
    line.push('\n');
    parts.clear();
    down((line.len() + parts.len()) as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn get(
    id: u32,
    #[cfg(any())] gone: &NoSuchType,
    #[cfg(not(any()))] extra: &u32,
    #[cfg(any())] (a, b): (u8, u8),
    #[cfg(not(any()))] (c, d): (u32, u32),
) -> Result<u32, E> {
    down(id + *extra + c + d).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn conditional_and_mutable(
    #[cfg(any())] mut gone: NoSuchType,
    #[cfg(not(any()))] mut here: String,
) -> Result<u32, E> {
    here.push('!');
    down(here.len() as u32).await
}

pub enum Ready {
    A(u32),
}

pub enum Poll {
    Pending,
}

#[allow(clippy::too_many_arguments)]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn fetch(
    key: u32,
    attempt: u32,
    policy: u32,
    deadline: u32,
    err: u32,
    result: u32,
    tokio: u32,
    __retry: u32,
) -> Result<u32, E> {
    let Ready::A(start) = Ready::A(key);
    let Poll::Pending = Poll::Pending;
    let rest = deadline + err + result + tokio + __retry;
    down(start + 10 * attempt + 100 * policy + 1000 * rest).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn names_of_others(
    counter: u32,
    policy: &str,
    mut retrying_context: u32,
) -> Result<u32, E> {
    retrying_context += counter;
    down(retrying_context + policy.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn r#match(r#async: u32, r#type: &str) -> Result<u32, E> {
    down(r#async + r#type.len() as u32).await
}

/// Deliberately not `Clone`.
pub struct Blob(pub Vec<u8>);

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn lend(blob: Blob, url: String) -> Result<u32, E> {
    down((blob.0.len() + url.len()) as u32).await
}

#[allow(clippy::needless_pass_by_value)]
async fn ship_url(url: String) -> Result<u32, E> {
    down(url.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent, clone(url)))]
pub async fn by_clone(url: String) -> Result<u32, E> {
    ship_url(url).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent, clone(a, c)))]
pub async fn cloned_in_a_pattern((a, b): (String, u32), [c, _]: [String; 2]) -> Result<u32, E> {
    ship_url(a + &c + &b.to_string()).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn handed_on(block: [u8; 2048]) -> Result<u32, E> {
    let sum = sum(block);
    down(sum).await
}

#[allow(clippy::large_types_passed_by_value)]
fn sum(block: [u8; 2048]) -> u32 {
    block.into_iter().map(u32::from).sum()
}

pub trait Transport: Sync {
    fn number(&self) -> u32;
}

impl Transport for u32 {
    fn number(&self) -> u32 {
        *self
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn object(wire: &dyn Transport, spare: Box<dyn Transport + Send>) -> Result<u32, E> {
    down(wire.number() + spare.number()).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn pointer(rule: fn(u32) -> u32, id: u32) -> Result<u32, E> {
    down(rule(id)).await
}
