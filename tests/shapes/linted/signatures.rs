//! Faults outside the braces, and in how the two fit together.

use kit::{E, down};
use std::collections::HashMap;
use std::future::Future;
use std::rc::Rc;

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
async fn dead(id: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_parameter(id: u32, unused: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_mut_parameter(mut id: u32, (mut a, b): (u32, u32)) -> Result<u32, E> {
    down(id + a + b).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn mut_parameter_never_read(id: u32, mut unused: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn mut_parameter_assigned_only(id: u32, mut assigned: u32) -> Result<u32, E> {
    assigned = id;
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn underscore_used(_id: u32) -> Result<u32, E> {
    down(_id).await
}

// Missing: `mut _name: String`. Its clone is a use, which `clippy::used_underscore_binding` reports.

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn badNames(badId: u32, mut badName: String) -> Result<u32, E> {
    badName.push('x');
    down(badId + badName.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn pointers(name: &String, rows: &Vec<u32>, id: &u32) -> Result<u32, E> {
    down(name.len() as u32 + rows.len() as u32 + id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn option(name: &Option<String>, map: &HashMap<u32, u32>) -> Result<u32, E> {
    down(name.as_ref().map_or(0, |name| name.len() as u32) + map.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
async fn by_value_needlessly(name: String, rows: Vec<u32>) -> Result<u32, E> {
    down(name.len() as u32 + rows.len() as u32).await
}

#[cfg_attr(
    feature = "retried",
    kit::retry(policy = kit::P, idempotent, allow(mutable_parameter = "it is only read"))
)]
pub async fn by_mutable_reference_needlessly(rows: &mut Vec<u32>) -> Result<u32, E> {
    down(rows.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn too_many(
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
    f: u32,
    g: bool,
    h: bool,
    i: bool,
    j: bool,
) -> Result<u32, E> {
    let bools = u32::from(g) + u32::from(h) + u32::from(i) + u32::from(j);
    down(a + b + c + d + e + f + bools).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn lifetimes<'a>(name: &'a str) -> Result<u32, E> {
    down(name.len() as u32).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn unused_generics<'a, T, const N: usize>(id: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn bounds<T: Clone + Send>(id: T) -> Result<u32, E>
where
    T: Into<u32> + Sync,
    T: Clone,
{
    down(id.clone().into()).await
}

pub struct Request<'r> {
    pub path: &'r str,
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn mixed_lifetimes(path: &str) -> Result<Request, E> {
    down(path.len() as u32).await?;
    Ok(Request { path })
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn qualified(
    id: std::option::Option<u32>,
) -> std::result::Result<std::string::String, E> {
    down(id.unwrap_or(0)).await.map(|answer| answer.to_string())
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn types(id: u32) -> Result<(Option<Option<u32>>, Box<Vec<u32>>, Vec<Box<u32>>), E> {
    Ok((Some(Some(down(id).await?)), Box::new(Vec::new()), Vec::new()))
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn complex_type(
    id: u32,
) -> Result<HashMap<String, Vec<Option<Box<dyn Fn(u32) -> Result<u32, E> + Send + Sync>>>>, E> {
    down(id).await?;
    Ok(HashMap::new())
}

#[deprecated = "use another"]
pub struct Old;

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn old_type(id: u32) -> Result<Old, E> {
    down(id).await?;
    Ok(Old)
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[deprecated(since = "0.1.0", note = "use another")]
pub async fn deprecated(id: u32) -> Result<u32, E> {
    down(id).await
}

#[must_use]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn must_be_used(id: u32) -> Result<u32, E> {
    down(id).await
}

#[track_caller]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn tracked(id: u32) -> Result<u32, E> {
    down(id).await
}

#[inline(always)]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn inlined(id: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn not_send(id: Rc<u32>) -> Result<u32, E> {
    let same = Rc::clone(&id);
    down(*same + *id).await
}

/// Uses SomeName without quotes
///
///  * and an odd list
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn documented(id: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async unsafe fn without_a_safety_note(id: *const u32) -> Result<u32, E> {
    #![allow(unsafe_code)]
    let id = *id;
    down(id).await
}

pub struct Conn {
    pub id: u32,
    unused: u32,
}

impl Conn {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn new(id: u32) -> Result<u32, E> {
        down(id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn is_open(self) -> Result<Conn, E> {
        down(self.id).await?;
        Ok(Conn { id: 1, unused: 2 })
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn without_self(&self, id: u32) -> Result<u32, E> {
        down(id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn typed_self(self: &Self) -> Result<u32, E> {
        down(self.id).await
    }
}

pub trait Native {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn get(&self) -> Result<u32, E> {
        let unused = 1;
        down(2).await
    }
}

#[async_trait::async_trait]
pub trait Api {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn get(&self, mut id: u32) -> Result<u32, E> {
        let unused = 1;
        return down(id).await;
    }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub fn future(id: u32) -> impl Future<Output = Result<u32, E>> {
    let unused = 1;
    async move {
        let unused = 2;
        return down(id).await;
    }
}
