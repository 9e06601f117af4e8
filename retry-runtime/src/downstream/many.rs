//! One downstream for each key, such as a host or a shard.

use super::Downstream;
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// One [`Downstream`] for each key, made on first use, and no more than so many.
///
/// Calls share state only when they name the same key of the same collection. When there are too
/// many, the one that was idle for longest makes room; while all are in use, a new key gets one that
/// is not kept.
///
/// ```
/// use retry_runtime::{Budget, Downstream, Downstreams};
///
/// static HOSTS: Downstreams<String> = Downstreams::new(1_000, |host: &String| {
///     Downstream::named(host.clone()).budget(Budget::ratio(0.1))
/// });
///
/// let one = HOSTS.get("a.example");
/// assert!(std::sync::Arc::ptr_eq(&one, &HOSTS.get("a.example")));
/// assert_eq!(one.name(), "a.example");
/// ```
///
/// In the attribute: `downstream = HOSTS.get(host)`.
pub struct Downstreams<K> {
    most: usize,
    make: fn(&K) -> Downstream,
    known: Mutex<Known<K>>,
}

struct Known<K> {
    by_key: BTreeMap<K, Entry>,
    /// Counts the uses, to know what was idle for longest.
    uses: u64,
}

struct Entry {
    downstream: Arc<Downstream>,
    last_use: u64,
}

impl<K: Ord> Downstreams<K> {
    /// No more than `most`, each made by `make`.
    #[must_use]
    pub const fn new(most: usize, make: fn(&K) -> Downstream) -> Self {
        Self { most, make, known: Mutex::new(Known { by_key: BTreeMap::new(), uses: 0 }) }
    }

    /// The downstream of this key.
    ///
    /// It takes a lock for the look-up, and none while the call runs.
    pub fn get<Q>(&self, key: &Q) -> Arc<Downstream>
    where
        K: Borrow<Q>,
        Q: Ord + ToOwned<Owned = K> + ?Sized,
    {
        // A panic in `make` leaves the map as it was.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.uses += 1;
        let use_now = known.uses;
        if let Some(entry) = known.by_key.get_mut(key) {
            entry.last_use = use_now;
            return Arc::clone(&entry.downstream);
        }
        let key = key.to_owned();
        let downstream = Arc::new((self.make)(&key));
        if known.by_key.len() < self.most || known.evict() {
            let entry = Entry { downstream: Arc::clone(&downstream), last_use: use_now };
            known.by_key.insert(key, entry);
        }
        downstream
    }

    /// How many are kept at this moment.
    pub fn len(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).by_key.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K: Ord> Known<K> {
    /// Drops the one that was idle for longest, if one is idle.
    fn evict(&mut self) -> bool {
        let idle = self.by_key.values().filter(|entry| Arc::strong_count(&entry.downstream) == 1);
        let Some(oldest) = idle.map(|entry| entry.last_use).min() else { return false };
        self.by_key.retain(|_, entry| entry.last_use != oldest);
        true
    }
}

impl<K> fmt::Debug for Downstreams<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Downstreams").field("most", &self.most).finish_non_exhaustive()
    }
}
