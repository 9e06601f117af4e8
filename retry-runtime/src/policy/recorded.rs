//! A policy in a trace: the words of a file, and no judge, since it was in force.

use super::Policy;
use super::file::Written;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(policy: &Policy, serializer: S) -> Result<S::Ok, S::Error> {
    Written::from(policy).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Policy, D::Error> {
    Written::deserialize(deserializer).map(|written| written.policy())
}
