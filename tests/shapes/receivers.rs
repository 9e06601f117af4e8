//! `self` in every form.

use kit::{E, down};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Conn {
    pub id: u32,
    pub hits: u32,
    pub buf: String,
}

impl Conn {
    #[must_use]
    pub const fn new(id: u32) -> Self {
        Self { id, hits: 0, buf: String::new() }
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn read(&mut self) -> Result<u32, E> {
        macro_rules! id {
            () => {
                self.id
            };
        }
        self.hits += 1;
        println!("{}", self.hits);
        down(id!()).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn peek(&self) -> Result<&str, E> {
        down(self.id).await?;
        Ok(&self.buf)
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn via(self: Arc<Self>) -> Result<u32, E> {
        down(self.id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn with_owned(&self, path: String) -> Result<String, E> {
        let status = down(self.id + path.len() as u32).await?;
        Ok(format!("{path}: {status}"))
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn by_value(self) -> Result<u32, E> {
        down(self.id).await
    }

    #[allow(clippy::needless_arbitrary_self_type)]
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn typed(self: &Self, id: u32) -> Result<u32, E> {
        down(self.id + id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn in_a_box(self: Box<Self>) -> Result<u32, E> {
        down(self.id).await
    }

    #[allow(clippy::future_not_send)]
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn shared_in_a_thread(self: Rc<Self>) -> Result<u32, E> {
        let same = Rc::clone(&self);
        down(same.id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn borrowed_pointer(self: &Arc<Self>) -> Result<Arc<Self>, E> {
        down(self.id).await?;
        Ok(Self::clone_of(self))
    }

    fn clone_of(this: &Arc<Self>) -> Arc<Self> {
        Arc::clone(this)
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn pinned_and_lent_on(mut self: Pin<&mut Self>) -> Result<u32, E> {
        let this: &mut Self = &mut self.as_mut();
        this.hits += 1;
        down(this.id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn pinned(self: Pin<&mut Self>) -> Result<u32, E> {
        down(self.id).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn with_lifetime<'c>(&'c self, other: &'c Self) -> Result<&'c Self, E> {
        down(self.id + other.id).await?;
        Ok(if self.hits > other.hits { self } else { other })
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn everywhere(&self) -> Result<String, E> {
        let Self { id, .. } = self;
        let add = |more: u32| self.id + id + more;
        down(add(Self::BASE)).await?;
        Ok(format!("{self:?} {}", self.hits))
    }

    const BASE: u32 = 100;

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn connect(host: &str) -> Result<Self, E> {
        Ok(Self { id: down(host.len() as u32).await?, hits: 0, buf: host.to_owned() })
    }
}

pub struct Wrapper<T>(pub T);

impl<T: Fn(u32) -> u32 + Sync> Wrapper<T> {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn of_a_generic_type<K: ToString + Sync>(&self, key: &K) -> Result<u32, E> {
        down((self.0)(key.to_string().len() as u32)).await
    }
}
