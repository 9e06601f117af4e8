//! What many rounds say together.

/// The one in the middle.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut figures = figures.to_owned();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The least and the most.
pub(crate) fn spread(figures: &[f64]) -> (f64, f64) {
    figures
        .iter()
        .fold((f64::INFINITY, 0.0), |(least, most), figure| (least.min(*figure), most.max(*figure)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert_eq!(spread(&[3.0, 1.0, 2.0]), (1.0, 3.0));
    }
}
