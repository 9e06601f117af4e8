//! The known word that an unknown one was probably meant to be.

/// Few letters differ, or the known word ends in what was written.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    // Nearly always, and then there is nothing to compare letter by letter.
    if let Some(exact) = known.iter().find(|candidate| **candidate == word) {
        return Some(exact);
    }
    let mut nearest = None;
    let mut least = usize::MAX;
    for candidate in known {
        let distance = distance(word, candidate);
        if distance < least || distance == least && nearest.is_some_and(|best| *candidate < best) {
            (nearest, least) = (Some(*candidate), distance);
        }
    }
    match nearest {
        Some(candidate) if least * 3 <= candidate.len().max(word.len()) => nearest,
        _ => known.iter().find(|candidate| candidate.ends_with(word)).copied(),
    }
}

/// How many letters have to be changed, added or removed to make one word the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&to) {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = *cell;
            left = changed.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_changed_letters() {
        assert_eq!(distance("polcy", "policy"), 1);
        assert_eq!(distance("policy", "policy"), 0);
        assert_eq!(distance("", "once"), 4);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_word_like_no_other_has_no_neighbour() {
        let known = ["policy", "idempotency_key", "once"];
        assert_eq!(nearest("zzzzzz", &known), None);
        assert_eq!(nearest("key", &known), Some("idempotency_key"));
        assert_eq!(nearest("polices", &known), Some("policy"));
    }
}
