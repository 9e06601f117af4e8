//! Something for each call of a trace.

/// Calls are numbered in the order in which they begin, so that nearly every one comes last. A map
/// of the standard library would do the same, and would be a fifth of what there is to compile.
#[derive(Debug)]
pub(super) struct ById<T>(Vec<(u64, Option<T>)>);

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ById<T> {
    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut T> {
        let at = self.place(id).ok()?;
        self.0.get_mut(at).and_then(|(_, one)| one.as_mut())
    }

    pub(super) fn remove(&mut self, id: u64) -> Option<T> {
        let at = self.place(id).ok()?;
        self.0.get_mut(at).and_then(|(_, one)| one.take())
    }

    /// The call begins, perhaps anew.
    pub(super) fn insert(&mut self, id: u64, one: T) {
        match self.place(id) {
            Ok(at) => self.0[at] = (id, Some(one)),
            Err(at) => self.0.insert(at, (id, Some(one))),
        }
    }

    /// Where it is, or an error with where it belongs.
    fn place(&self, id: u64) -> Result<usize, usize> {
        match self.0.last() {
            Some((last, _)) if *last < id => Err(self.0.len()),
            _ => self.0.binary_search_by_key(&id, |(id, _)| *id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_in_whatever_order_they_came() {
        let mut names = ById::default();
        for id in [5, 1, 9, 3, 7] {
            names.insert(id, id.to_string());
        }
        names.insert(3, "again".to_owned());
        assert_eq!(names.remove(9), Some("9".to_owned()));
        let found: Vec<Option<String>> = (0..11).map(|id| names.get_mut(id).cloned()).collect();
        for (id, name) in found.into_iter().enumerate() {
            let expected = match id {
                3 => Some("again".to_owned()),
                1 | 5 | 7 => Some(id.to_string()),
                _ => None,
            };
            assert_eq!(name, expected);
        }
    }
}
