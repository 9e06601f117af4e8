//! Methods of traits, and futures that are returned.

use kit::{E, down};
use std::future::Future;
use std::pin::Pin;

#[async_trait::async_trait]
pub trait Api {
    async fn get(&self) -> Result<u32, E>;
    async fn set(&mut self, mut by: u32, path: String) -> Result<u32, E>;
    async fn named<'n>(&self, name: &'n str, (a, _): (u32, u32)) -> Result<&'n str, E>;
    async fn generic<T: Into<u32> + Copy + Send + Sync>(&self, id: T) -> Result<u32, E>
    where
        Self: Sized;

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn by_default(&self, id: u32) -> Result<u32, E> {
        let sum = self.number() + id;
        down(sum).await
    }

    fn number(&self) -> u32;
}

#[derive(Clone, Debug)]
pub struct Client(pub u32);

#[async_trait::async_trait]
impl Api for Client {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn get(&self) -> Result<u32, E> {
        down(1).await
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent, clone(path)))]
    async fn set(&mut self, mut by: u32, path: String) -> Result<u32, E> {
        by += 1;
        let bytes = path.into_bytes();
        self.0 = down(by + bytes.len() as u32).await?;
        Ok(self.0)
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn named<'n>(&self, name: &'n str, (a, _): (u32, u32)) -> Result<&'n str, E> {
        if name.is_empty() {
            return Err(E(400));
        }
        down(self.0 + a).await?;
        Ok(name)
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn generic<T: Into<u32> + Copy + Send + Sync>(&self, id: T) -> Result<u32, E>
    where
        Self: Sized,
    {
        down(id.into()).await
    }

    fn number(&self) -> u32 {
        self.0
    }
}

#[async_trait::async_trait(?Send)]
pub trait Local {
    async fn by_value(self, id: std::rc::Rc<u32>) -> Result<u32, E>;
}

#[async_trait::async_trait(?Send)]
impl Local for Client {
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn by_value(self, id: std::rc::Rc<u32>) -> Result<u32, E> {
        down(self.0 + *id).await
    }
}

#[allow(async_fn_in_trait, clippy::future_not_send)]
pub trait Native {
    type Key: ?Sized;

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn native_by_default(&self) -> Result<u32, E> {
        down(2).await
    }

    async fn load<T: From<u32>>(&mut self, key: &Self::Key) -> Result<T, E>;

    fn desugared(&self, id: u32) -> impl Future<Output = Result<u32, E>> + Send;
}

impl Native for Client {
    type Key = str;

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn load<T: From<u32>>(&mut self, key: &Self::Key) -> Result<T, E> {
        self.0 += 1;
        Ok(T::from(down(key.len() as u32).await?))
    }

    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    async fn desugared(&self, id: u32) -> Result<u32, E> {
        down(self.0 + id).await
    }
}

#[allow(clippy::manual_async_fn)]
#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub fn future(name: &str) -> impl Future<Output = Result<u32, E>> + Send + '_ {
    async move { down(name.len() as u32).await }
}

#[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
pub fn future_with_a_head(name: &str) -> impl Future<Output = Result<u32, E>> + use<> {
    let length = name.len() as u32;
    let name = name.to_owned();
    async move {
        let more = name.len() as u32;
        down(length + more).await
    }
}

impl Client {
    #[must_use]
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub fn boxed_future(
        &self,
        id: u32,
    ) -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send + '_>> {
        let id = id + 1;
        Box::pin(async move {
            if id == 0 {
                return Err(E(400));
            }
            down(self.0 + id).await
        })
    }
}
