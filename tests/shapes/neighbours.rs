//! Other attributes on the same function, and macros around it.

use kit::{E, down};

/// A read.
#[must_use = "an answer is there to be read"]
#[doc(alias = "fetch")]
#[inline]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[cfg_attr(all(), doc = "More of the documentation.")]
#[cfg(not(any()))]
pub async fn attributes_all_around(#[allow(unused_variables)] id: u32) -> Result<u32, E> {
    down(1).await
}

#[deprecated(since = "0.1.0", note = "use another")]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub async fn deprecated(id: u32) -> Result<u32, E> {
    down(id).await
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
#[allow(ungated_async_fn_track_caller)]
#[track_caller]
pub async fn tracked(id: u32) -> Result<u32, E> {
    down(id).await
}

/// A cache in front of a function, as attribute macros write it: the function goes inside.
macro_rules! cached {
    ($(#[$attribute:meta])* pub async fn $name:ident($key:ident: $ty:ty) -> Result<$ok:ty, $e:ty> $body:block) => {
        pub async fn $name(
            cache: &tokio::sync::Mutex<std::collections::BTreeMap<$ty, $ok>>,
            $key: $ty,
        ) -> Result<$ok, $e> {
            $(#[$attribute])*
            async fn inner($key: $ty) -> Result<$ok, $e> $body
            if let Some(known) = cache.lock().await.get(&$key) {
                return Ok(*known);
            }
            let fresh = inner($key).await?;
            cache.lock().await.insert($key, fresh);
            Ok(fresh)
        }
    };
}

cached! {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn behind_a_cache(id: u32) -> Result<u32, E> {
        down(id).await
    }
}
