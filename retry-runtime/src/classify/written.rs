//! A class as it is written.

use super::{Delivery, Prospect};
use std::time::Duration;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {
    prospect: Prospect,
    delivery: Delivery,
    #[serde(rename = "retry_after_ns", with = "crate::nanos::option")]
    hint: Option<Duration>,
}

impl From<Class> for super::Class {
    fn from(written: Class) -> Self {
        let class = Self::new(written.prospect, written.delivery);
        written.hint.map_or(class, |hint| class.retry_after(hint))
    }
}

impl From<super::Class> for Class {
    fn from(class: super::Class) -> Self {
        Self { prospect: class.prospect, delivery: class.delivery, hint: class.hint() }
    }
}
